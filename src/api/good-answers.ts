/** How a service says that it did what a write asked for. The body decides, not the status, and no words are read. */
import { isObject, type Json, type JsonObject } from '../json/exact.ts'
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

type IsForm = (value: Json | undefined, asked: Asked) => boolean

export const forms = {
  empty: { words: 'empty', is: value => value === undefined },
  success: {
    words: '`{"success":true}`',
    is: value => isObject(value) && Object.keys(value).length === 1 && value.success === true,
  },
  record: {
    words: 'the record that was named',
    is: (value, { named }) => isRecordObject(value) && isRecord(value, named),
  },
  'new record': {
    words: 'the record that was made',
    is: (value, { endpoint: { returns } }) => isRecordObject(value) && 'of' in returns && hasShapeOf(returns.of, value),
  },
  files: { words: 'a map of file name to text', is: isSource },
  counts: { words: 'its counts', is: value => isRecordObject(value) && bulkCountsIn(value) !== undefined },
} as const satisfies Readonly<Record<string, { readonly words: string; readonly is: IsForm }>>

export function isGoodAnswer(value: Json | undefined, asked: Asked): boolean {
  const row = goodAnswers.find(({ includes }) => includes(asked.endpoint))
  return row?.forms.some(form => forms[form].is(value, asked)) ?? false
}

function isRecordObject(value: Json | undefined): value is JsonObject<Json> {
  return isObject(value) && !saysError(value)
}

/** An id that cannot be compared, such as `@current`, leaves only the fields of the resource. */
function isRecord(item: Json, named: NamedRecord | undefined): boolean {
  if (!named) return false
  const whose = whoseRecord(item, named.id)
  return whose === 'named' || (whose === 'unknown' && hasShapeOf(named.resource, item))
}

/** Some servers return the files, others the plugin. */
function isSource(value: Json | undefined): boolean {
  if (!isObject(value)) return false
  const files = Object.values(value)
  return (
    Object.keys(value).some(name => name.includes('.')) &&
    files.every(text => text === null || typeof text === 'string')
  )
}
