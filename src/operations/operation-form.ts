/** The form of each operation: checks, since operations are also read from plans and jobs, and the types that follow from them. */
import {
  arrayOf,
  type Check,
  type Checked,
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

const inProject = recordOf({ project_id: isText })
const inOrganization = recordOf({ parent_lookup_organization_id: isText })
const nothing = recordOf({})

const texts = arrayOf(isText)
const body = optionalOf(isObject)
/** `bodies`: one for each id, instead of `body`. */
const bodies = optionalOf(mapOf(isObject))

/** Servers refuse more ids in one request. */
export const batchSize = between(2, 1000)

const isBatchSize = (value: unknown): value is number => isCount(value) && batchSize.check(value) === undefined

const isGiven = (value: unknown): value is unknown => value !== undefined

/** How a target was before the job that is undone; keys are paths of fields. */
const restore = recordOf({
  before: isObject,
  /** Several marks of a field if the job made attempts with different values. */
  set: mapOf(arrayOf(texts)),
  /** Milliseconds: the service may still apply an accepted change until then. */
  landsBy: optionalOf(isCount),
  /** Sent without an answer, so the change may be applied after the target was read. */
  isOpen: optionalOf(exactly(true)),
})

/** `force` also restores values that somebody changed since. */
const undo = recordOf({ key: isText, force: isFlag, restores: arrayOf(restore), restoreOf: mapOf(isCount) })

/** `body` and `unset` are sent to one target; `undo` is used to compute them. */
const undoValues = recordOf({ body, unset: texts, undo: optionalOf(undo) })

const forms = {
  'persons delete': {
    path: inProject,
    /** `batch`: the most persons of one request; absent if each has its own. */
    values: recordOf({ deleteEvents: isFlag, batch: optionalOf(isBatchSize) }),
  },
  'persons update': { path: inProject, values: recordOf({ body, bodies }) },
  'persons update-property': {
    path: inProject,
    values: recordOf({ key: isText, value: isGiven, properties: isAnything }),
  },
  'persons delete-property': {
    path: inProject,
    values: recordOf({ keys: texts, properties: isAnything }),
  },
  'persons split': {
    path: inProject,
    values: recordOf({ mainDistinctId: optionalOf(isText), properties: isAnything }),
  },
  'persons undo': { path: inProject, values: undoValues },
  'event-definitions update': {
    path: inProject,
    values: recordOf({ body, addTags: optionalOf(texts), removeTags: optionalOf(texts), bodies }),
  },
  'event-definitions undo': { path: inProject, values: undoValues },
  'event-definitions delete': { path: inProject, values: nothing },
  'plugins update': { path: inOrganization, values: recordOf({ body }) },
  'plugins update-source': { path: inOrganization, values: recordOf({ body }) },
  'plugins upgrade': { path: inOrganization, values: recordOf({ body }) },
  'plugins delete': { path: inOrganization, values: nothing },
  'projects update': { path: nothing, values: recordOf({ body, bodies }) },
  'projects undo': { path: nothing, values: undoValues },
  'projects delete': { path: nothing, values: nothing },
} as const satisfies Readonly<Record<string, { readonly path: Check<object>; readonly values: Check<object> }>>

export type OperationName = keyof typeof forms

export type Shapes = {
  readonly [N in OperationName]: {
    readonly path: Checked<(typeof forms)[N]['path']>
    readonly values: Checked<(typeof forms)[N]['values']>
  }
}

export type OperationOf<N extends OperationName> = {
  readonly [K in N]: { readonly command: K } & Shapes[K]
}[N]

export type Operation = OperationOf<OperationName>

export type Restore = Checked<typeof restore>

export type UndoValues = Checked<typeof undoValues>

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
