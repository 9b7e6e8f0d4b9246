/** A file is a plan if each member that is read later has the right type. */
import type { Actor, ReceiptInput } from '../../jobs/receipts/receipt.ts'
import { isObject } from '../../json/exact.ts'
import { day } from '../../values/kinds.ts'
import { type Operation, rowOf } from '../operation.ts'
import type { OperationName, Shapes } from '../operation-row.ts'

export interface PlanContent {
  readonly plan: 2
  readonly tool: string
  readonly created_at: string
  readonly by: Actor
  readonly profile: string | null
  readonly base_url: string
  readonly operation: Operation
  readonly guards: { readonly canary: number | null; readonly max_failures: number | null }
  readonly reason: string | null
  readonly requested_by: string | null
  readonly request_received_at: string | null
  readonly input: ReceiptInput | null
  /** Same as in the receipt of its run. */
  readonly targets_sha256: string
  readonly targets: readonly string[]
}

type Check = (value: unknown) => boolean

const anything: Check = () => true
const text: Check = value => typeof value === 'string'
const flag: Check = value => typeof value === 'boolean'
const count: Check = value => Number.isSafeInteger(value) && Number(value) >= 0
const nullOr =
  (check: Check): Check =>
  value =>
    value === null || check(value)
const optional =
  (check: Check): Check =>
  value =>
    value === undefined || check(value)
const listOf =
  (check: Check): Check =>
  value =>
    Array.isArray(value) && value.every(check)
const mapOf =
  (check: Check): Check =>
  value =>
    isObject(value) && Object.values(value).every(check)
const record =
  (members: Readonly<Record<string, Check>>): Check =>
  value =>
    isObject(value) && Object.entries(members).every(([name, check]) => check(value[name]))

type ValueChecks = {
  readonly [N in OperationName]: { readonly [M in keyof Shapes[N]['values']]-?: Check }
}

const body = optional(isObject)
const bodies = optional(mapOf(isObject))
const properties = anything
const restore = record({
  before: isObject,
  set: mapOf(listOf(listOf(text))),
  landsBy: optional(count),
  isOpen: optional(flag),
})
const undo = record({ key: text, force: flag, restores: listOf(restore), restoreOf: mapOf(count) })
const undoing = { body, unset: listOf(text), undo: optional(undo) }

const valuesOf: ValueChecks = {
  'persons delete': { deleteEvents: flag },
  'persons update': { body, bodies },
  'persons update-property': { key: text, value: value => value !== undefined, properties },
  'persons delete-property': { keys: listOf(text), allBut: optional(listOf(text)), properties },
  'persons split': { mainDistinctId: optional(text), properties },
  'persons undo': undoing,
  'event-definitions update': { body, bodies, addTags: optional(listOf(text)), removeTags: optional(listOf(text)) },
  'event-definitions undo': undoing,
  'event-definitions delete': {},
  'plugins update': { body },
  'plugins update-source': { body },
  'plugins upgrade': { body },
  'plugins delete': {},
  'projects update': { body, bodies },
  'projects undo': undoing,
  'projects delete': {},
}

const isWhole = record({
  plan: value => value === 2,
  created_at: value => Number.isFinite(Date.parse(String(value))) && text(value),
  profile: nullOr(text),
  base_url: text,
  operation: record({ command: value => Object.hasOwn(valuesOf, String(value)) && text(value) }),
  guards: record({ canary: nullOr(count), max_failures: nullOr(count) }),
  reason: nullOr(text),
  requested_by: nullOr(text),
  request_received_at: nullOr(value => day.check(value) === undefined),
  input: nullOr(record({ lines: count, matched: count, unmatched: listOf(count), sha256: text })),
  targets_sha256: text,
  targets: listOf(text),
})

export function isPlan(value: unknown): value is PlanContent {
  if (!isWhole(value)) return false
  const { operation, targets } = value as PlanContent
  const { scope } = rowOf(operation)
  return (
    record(scope === undefined ? {} : { [scope]: text })(operation.path) &&
    record(valuesOf[operation.command])(operation.values) &&
    targets.every(id => isGiven(operation, id))
  )
}

/** Targets without own values would get the common ones, which do not exist. */
function isGiven({ values }: Operation, id: string): boolean {
  if ('bodies' in values && values.bodies) return Object.hasOwn(values.bodies, id)
  if (!('undo' in values) || !values.undo) return true
  return Object.hasOwn(values.undo.restoreOf, id) && (values.undo.restoreOf[id] ?? -1) < values.undo.restores.length
}
