/** `--query`: JMESPath over the whole result. */
import {
  compile,
  isRegistered,
  type JSONValue,
  register,
  TreeInterpreter,
  TYPE_ANY,
} from '@jmespath-community/jmespath'
import { RejectedError, UsageError } from '../errors.ts'
import { decode, encode, plain } from '../json/exact.ts'
import { type Item, Malformed } from '../json/item.ts'
import type { Document, View } from './document.ts'
import { masked } from './mask.ts'
import { isSameMasked, masksIn } from './same-masked.ts'
import { undocumented } from './views.ts'

interface QueryOptions {
  /** Whether masks stand in the result in place of secrets. */
  readonly masks?: boolean
  /** Whether each value that is found is printed as an id. */
  readonly asIds?: boolean
  /** Gets the failure of a query that does not fit the data, where that is too late to stop anything; absent: it is thrown. */
  readonly onUnsuited?: ((failure: UsageError) => void) | undefined
}

/** Throws `UsageError` for an invalid expression, here or when it runs. Integers beyond 2^53 become strings. */
export function parseQuery(expression: string): (document: Document, querying?: QueryOptions) => Promise<Document> {
  const node = parse(expression)
  const checked = checkOrders(node) as Node
  return async (document, { masks = false, asIds = false, onUnsuited } = {}) => {
    const { whole, shown } = await collect(document, masks).catch(refuseDeep)
    try {
      const result = search(checked, shown)
      // A query that only shows secrets finds the same where they are masked.
      if (shown !== whole && !isSameMasked(search(checked, whole), result, masksIn(whole, shown))) {
        throw new TestedSecrets()
      }
      if (asIds && isComputed(node) && isScalar(result)) refuseScalar(onUnsuited)
      return answer(result, shown, document.view)
    } catch (error) {
      if (!(error instanceof UsageError) || !onUnsuited) throw error
      onUnsuited(error)
      return answer(error instanceof OrderedTexts ? search(node, shown) : null, shown, document.view)
    }
  }
}

/** By a function such as `length(@)`; what stands in the data is not. */
function isComputed(node: Node): boolean {
  return node.type === 'Pipe' ? isComputed(node.right) : node.type === 'Function'
}

function isScalar(result: JSONValue): boolean {
  return result !== null && typeof result !== 'object'
}

/** A count that passes for an id names a record that nobody chose. */
function refuseScalar(onUnsuited: QueryOptions['onUnsuited']): void {
  const failure = new UsageError('The --query gives no ids', {
    hint: 'It computes a single value: give -o json',
  })
  if (!onUnsuited) throw failure
  onUnsuited(failure)
}

class TestedSecrets extends UsageError {
  constructor() {
    super('The --query compares or counts by a value that tables mask', { hint: 'Add -o json, or --reveal' })
  }
}

type Node = ReturnType<typeof compile>

function parse(expression: string): Node {
  let node: Node
  try {
    // As aws does: a literal that is no JSON is text.
    node = compile(expression, { enable_legacy_literals: true })
  } catch (error) {
    throw wrong('is not JMESPath', error)
  }
  const unknown = functionsIn(node).find(name => !isRegistered(name))
  if (unknown !== undefined) throw wrong(`calls ${unknown}, a function that JMESPath does not have`)
  if (ordersText(node)) throw new OrderedTexts()
  return node
}

function search(node: Node, whole: JSONValue): JSONValue {
  try {
    return TreeInterpreter.search(node, whole)
  } catch (error) {
    if (error instanceof OrderedTexts) throw error
    throw wrong('does not fit the result', error)
  }
}

class OrderedTexts extends UsageError {
  constructor() {
    super('The --query orders texts with < or >, which JMESPath answers with nothing', {
      hint: "Select rows with --where, such as --where 'created_at>2026-01-31'",
    })
  }
}

/** JMESPath orders numbers only. The signs are names of functions that no expression can call. */
const orders = { GT: '>', GTE: '>=', LT: '<', LTE: '<=' } as const

const holds: Readonly<Record<(typeof orders)[keyof typeof orders], (a: number, b: number) => boolean>> = {
  '>': (a, b) => a > b,
  '>=': (a, b) => a >= b,
  '<': (a, b) => a < b,
  '<=': (a, b) => a <= b,
}

for (const [sign, isOrdered] of Object.entries(holds)) {
  const order = ([a, b]: unknown[]) => {
    if (typeof a === 'string' || typeof b === 'string') throw new OrderedTexts()
    return typeof a === 'number' && typeof b === 'number' ? isOrdered(a, b) : null
  }
  register(sign, order, [{ types: [TYPE_ANY] }, { types: [TYPE_ANY] }])
}

/** The expression with calls of these functions in place of its comparisons. */
function checkOrders(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(checkOrders)
  if (!isNode(node)) return node
  const copy = Object.fromEntries(Object.entries(node).map(([name, child]) => [name, checkOrders(child)]))
  return isOrder(node) ? { type: 'Function', name: orders[node.name], children: [copy.left, copy.right] } : copy
}

function wrong(what: string, cause?: unknown): UsageError {
  const reason = cause instanceof Error ? `: ${cause.message}` : ''
  return new UsageError(`The --query ${what}${reason}`, {
    hint: 'The language is described at https://jmespath.org',
    cause,
  })
}

/** Names of all functions in an expression, because the parser finds unknown ones only when it runs. */
function functionsIn(node: unknown): string[] {
  return nodesIn(node).flatMap(({ type, name }) => (type === 'Function' ? [String(name)] : []))
}

function ordersText(node: unknown): boolean {
  return nodesIn(node).some(one => isOrder(one) && [one.left, one.right].some(isText))
}

type AnyNode = Readonly<Record<string, unknown>>

function nodesIn(node: unknown): AnyNode[] {
  if (Array.isArray(node)) return node.flatMap(nodesIn)
  return isNode(node) ? [node, ...Object.values(node).flatMap(nodesIn)] : []
}

/** A literal holds data, which may look like nodes. */
function isNode(node: unknown): node is AnyNode {
  return typeof node === 'object' && node !== null && !('type' in node && node.type === 'Literal')
}

function isOrder(node: AnyNode): node is AnyNode & { readonly name: keyof typeof orders } {
  return node.type === 'Comparator' && Object.hasOwn(orders, String(node.name))
}

function isText(node: unknown): boolean {
  return typeof node === 'object' && node !== null && 'value' in node && typeof node.value === 'string'
}

function refuseDeep(cause: unknown): never {
  if (!(cause instanceof Malformed) || cause.reason !== 'nested too deeply') throw cause
  throw new RejectedError('A record of the answer is nested too deeply for --query', {
    hint: 'Leave --query out, and use -o ndjson to get it as it came',
    cause,
  })
}

/** The whole document, and how it is shown: the same object where nothing in it is masked. */
async function collect(document: Document, masks: boolean) {
  const values: JSONValue[] = []
  const shown: JSONValue[] = []
  const read = (item: Item) => plain(decode(item)) as JSONValue
  for await (const batch of document.batches) {
    for (const item of batch) {
      const value = read(item)
      values.push(value)
      const hidden = masks ? masked(item) : item
      shown.push(hidden === item ? value : read(hidden))
    }
  }
  const whole = around(document, values)
  return { whole, shown: values.every((value, i) => value === shown[i]) ? whole : around(document, shown) }
}

function around({ shape, envelope }: Document, values: JSONValue[]): JSONValue {
  if (shape === 'object') return values[0] ?? null
  if (!envelope) return values
  const { count, next, previous } = envelope()
  const members = Object.entries({ count, next, previous }).map(([name, raw]) => [name, plain(decode(raw))])
  return { results: values, ...Object.fromEntries(members) } as JSONValue
}

function answer(result: JSONValue, whole: JSONValue, view: View): Document {
  const came = new Set([whole, ...(Array.isArray(whole) ? whole : [])])
  // Selected records keep their columns; new values have columns of their own.
  const looking = (values: readonly JSONValue[]) => (values.every(value => came.has(value)) ? view : undocumented)
  const items = (Array.isArray(result) ? result : [result]).map(value => Buffer.from(encode(value)))
  return Array.isArray(result)
    ? { shape: 'list', batches: [items], view: looking(result) }
    : { shape: 'object', batches: [items], view: looking([result]) }
}
