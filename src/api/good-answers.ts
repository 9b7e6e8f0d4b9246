/** How a service says that it did what a write asked for. The body decides, not the status, and no words are read. */
import type { Item } from '../json/item.ts'
import { kindOf, members } from '../json/pick.ts'
import { bulkCountsIn } from './answers/bulk-counts.ts'
import { saysError } from './answers/error-answer.ts'
import { hasShapeOf, whoseRecord } from './answers/record-identity.ts'
import type { NamedRecord } from './effects.ts'
import { type Endpoint, newer, plugins } from './endpoints.ts'

interface Row {
  /** For `docs/servers.md`, like the words of the forms. */
  readonly to: string
  readonly includes: (endpoint: Endpoint) => boolean
  readonly forms: readonly Form[]
}

/** The first row that includes an endpoint has the forms of its good answers; any other 2xx proves nothing. */
export const goodAnswers: readonly Row[] = [
  { to: 'DELETE', includes: ({ method }) => method === 'DELETE', forms: ['empty', 'success'] },
  { to: '`bulk_delete`', includes: endpoint => endpoint === newer.bulkDelete, forms: ['empty', 'counts'] },
  { to: 'creates', includes: ({ status }) => status === 201, forms: ['new record'] },
  {
    to: '`update_source`',
    includes: endpoint => endpoint === plugins.updateSource,
    forms: ['record', 'files', 'empty', 'success'],
  },
  { to: 'PATCH, and POST on one object', includes: () => true, forms: ['record', 'empty', 'success'] },
]

type Form = keyof typeof forms

interface Asked {
  readonly endpoint: Endpoint
  readonly named: NamedRecord | undefined
}

type IsForm = (item: Item, asked: Asked) => boolean

export const forms = {
  empty: { words: 'empty', is: item => item.length === 0 },
  success: { words: '`{"success":true}`', is: item => isObject(item) && isSuccess(members(item)) },
  record: {
    words: 'the record that was named',
    is: (item, { named }) => isRecordObject(item) && isRecord(item, named),
  },
  'new record': {
    words: 'the record that was made',
    is: (item, { endpoint: { returns } }) => isRecordObject(item) && 'of' in returns && hasShapeOf(returns.of, item),
  },
  files: { words: 'a map of file name to text', is: item => isObject(item) && isSource(item) },
  counts: { words: 'its counts', is: item => isRecordObject(item) && bulkCountsIn(item) !== undefined },
} as const satisfies Readonly<Record<string, { readonly words: string; readonly is: IsForm }>>

export function isGoodAnswer(item: Item, asked: Asked): boolean {
  const row = goodAnswers.find(({ includes }) => includes(asked.endpoint))
  return row?.forms.some(form => forms[form].is(item, asked)) ?? false
}

function isObject(item: Item): boolean {
  return item.length > 0 && kindOf(item) === 'object'
}

function isRecordObject(item: Item): boolean {
  return isObject(item) && !saysError(item)
}

function isSuccess([first, ...others]: readonly (readonly [string, Item])[]): boolean {
  return others.length === 0 && first?.[0] === 'success' && first[1].toString() === 'true'
}

/** An id that cannot be compared, such as `@current`, leaves only the fields of the resource. */
function isRecord(item: Item, named: NamedRecord | undefined): boolean {
  if (!named) return false
  const whose = whoseRecord(item, named.id)
  return whose === 'named' || (whose === 'unknown' && hasShapeOf(named.resource, item))
}

/** Some servers return the files, others the plugin. */
function isSource(item: Item): boolean {
  const files = members(item)
  return (
    files.some(([name]) => name.includes('.')) && files.every(([, text]) => ['string', 'null'].includes(kindOf(text)))
  )
}
