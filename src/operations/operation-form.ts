/** The types of all operations as checks, since an operation is also read from a plan and from a job. */
import {
  arrayOf,
  type Check,
  exactly,
  isAnything,
  isCount,
  isFlag,
  isText,
  mapOf,
  optionalOf,
  recordOf,
} from '../json/checks.ts'
import { isObject } from '../json/exact.ts'
import { between } from '../values/kinds.ts'
import type { InOrganization, InProject, Operation, OperationName, Shapes } from './operation-row.ts'
import type { Restore, Undo, UndoValues } from './undo/undo-values.ts'

const inProject = recordOf<InProject>({ project_id: isText })
const inOrganization = recordOf<InOrganization>({ parent_lookup_organization_id: isText })
const nothing = recordOf<Readonly<Record<never, never>>>({})

const body = optionalOf(isObject)
const bodies = optionalOf(mapOf(isObject))
const texts = arrayOf(isText)
const withBody = recordOf<{ readonly body: Shapes['plugins update']['values']['body'] }>({ body })
const withBodies = recordOf<Shapes['persons update']['values']>({ body, bodies })

/** Servers refuse more ids in one request. */
export const batchSize = between(2, 1000)

const isBatchSize = (value: unknown): value is number => isCount(value) && batchSize.check(value) === undefined

const isGiven = (value: unknown): value is unknown => value !== undefined

const restore = recordOf<Restore>({
  before: isObject,
  set: mapOf(arrayOf(texts)),
  landsBy: optionalOf(isCount),
  isOpen: optionalOf(exactly(true)),
})
const undo = recordOf<Undo>({ key: isText, force: isFlag, restores: arrayOf(restore), restoreOf: mapOf(isCount) })
const undoing = recordOf<UndoValues>({ body, unset: texts, undo: optionalOf(undo) })

type Forms = {
  readonly [N in OperationName]: {
    readonly path: Check<Shapes[N]['path']>
    readonly values: Check<Shapes[N]['values']>
  }
}

const forms: Forms = {
  'persons delete': { path: inProject, values: recordOf({ deleteEvents: isFlag, batch: optionalOf(isBatchSize) }) },
  'persons update': { path: inProject, values: withBodies },
  'persons update-property': {
    path: inProject,
    values: recordOf({ key: isText, value: isGiven, properties: isAnything }),
  },
  'persons delete-property': {
    path: inProject,
    values: recordOf({ keys: texts, allBut: optionalOf(texts), properties: isAnything }),
  },
  'persons split': {
    path: inProject,
    values: recordOf({ mainDistinctId: optionalOf(isText), properties: isAnything }),
  },
  'persons undo': { path: inProject, values: undoing },
  'event-definitions update': {
    path: inProject,
    values: recordOf({ body, addTags: optionalOf(texts), removeTags: optionalOf(texts), bodies }),
  },
  'event-definitions undo': { path: inProject, values: undoing },
  'event-definitions delete': { path: inProject, values: nothing },
  'plugins update': { path: inOrganization, values: withBody },
  'plugins update-source': { path: inOrganization, values: withBody },
  'plugins upgrade': { path: inOrganization, values: withBody },
  'plugins delete': { path: inOrganization, values: nothing },
  'projects update': { path: nothing, values: withBodies },
  'projects undo': { path: nothing, values: undoing },
  'projects delete': { path: nothing, values: nothing },
}

export function isOperationName(name: unknown): name is OperationName {
  return isText(name) && Object.hasOwn(forms, name)
}

export function isOperation(value: unknown): value is Operation {
  if (!isObject(value)) return false
  const { command, path, values, ...others } = value
  if (!isOperationName(command) || Object.keys(others).length > 0) return false
  const form = forms[command]
  return form.path(path) && form.values(values)
}
