/** The forms of answers: a page of a list, an error in the place of data, and what says that a write was done. */
import { isObject, type Json, type JsonObject } from '../../json/exact.ts'
import { elementsOf, type Item, membersOf } from '../../json/read-item.ts'
import { type Endpoint, newer, plugins } from '../endpoints.ts'
import type { NamedRecord } from '../path.ts'
import { bulkCountsIn } from './bulk-answer.ts'
import { hasShapeOf, whoseRecord } from './record-identity.ts'

export interface Page {
  readonly rows: readonly Item[]
  readonly isBareArray: boolean
  readonly envelope: JsonObject<Json>
}

/** A list alone, or the one in `results` (in `result` of the retention view). */
export function pageIn(item: Item): Page | undefined {
  if (isList(item)) return { rows: elementsOf(item), isBareArray: true, envelope: {} }
  const members = membersOf(item)
  const list = [members.get('results'), members.get('result')].find(isList)
  if (!list) return undefined
  const others = Array.from(members).filter(([, one]) => one !== list)
  const envelope = Object.fromEntries(others.map(([name, { value }]) => [name, value]))
  return { rows: elementsOf(list), isBareArray: false, envelope }
}

function isList(item: Item | undefined): boolean {
  return item?.text.startsWith('[') === true
}

/** Other members are data, which may have a member `detail` beside them. */
const errorMembers: ReadonlySet<string> = new Set([
  ...['attr', 'code', 'detail', 'error', 'errors', 'extra', 'message', 'request_id'],
  ...['status', 'success', 'title', 'type'],
])

export function isErrorObject(value: Json): boolean {
  return saysError(value) && Object.keys(value).every(name => errorMembers.has(name))
}

/** Without the data beside it, which may be personal. */
export function errorPart(value: JsonObject<Json>): JsonObject<Json> {
  return Object.fromEntries(Object.entries(value).filter(([name]) => errorMembers.has(name)))
}

export function saysError(value: Json): value is JsonObject<Json> {
  return isObject(value) && (namesError(value) || isGiven(value.detail))
}

/** A page that has rows may contain a remark in `detail`. */
export function isErrorPage({ envelope, rows }: Page): boolean {
  return namesError(envelope) || (isGiven(envelope.detail) && (rows.length === 0 || envelope.next === undefined))
}

function namesError({ error, errors, success }: JsonObject<Json>): boolean {
  return isGiven(error) || isGiven(errors) || success === false
}

function isGiven(value: Json | undefined): boolean {
  if (typeof value === 'string') return value.trim() !== ''
  if (Array.isArray(value) || isObject(value)) return Object.keys(value).length > 0
  return value !== undefined && value !== null && value !== false
}

interface Row {
  /** For `docs/servers.md`, like the words of the forms. */
  readonly to: string
  readonly includes: (endpoint: Endpoint) => boolean
  readonly forms: readonly (keyof typeof forms)[]
}

/** The first row that includes an endpoint has the forms of its good answers; any other 2xx proves nothing. */
const goodAnswers: readonly Row[] = [
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
function isRecord(value: Json, named: NamedRecord | undefined): boolean {
  if (!named) return false
  const whose = whoseRecord(value, named.id)
  return whose === 'named' || (whose === 'unknown' && hasShapeOf(named.resource, value))
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
