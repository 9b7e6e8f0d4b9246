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
import { Malformed } from '../json/item.ts'
import type { Document, View } from './document.ts'
import { isSecret } from './mask.ts'
import { undocumented } from './views.ts'

interface QueryOptions {
  /** Gets the failure of a query that does not fit the data, where that is too late to stop anything; absent: it is thrown. */
  readonly onUnsuited?: ((failure: UsageError) => void) | undefined
}

/**
 * Throws `UsageError` for an invalid expression, here or when it runs. Integers beyond 2^53 become strings.
 * `masks`: it will get masks in place of secrets, which it can show and not compare.
 */
export function parseQuery(
  expression: string,
  { masks = false } = {},
): (document: Document, querying?: QueryOptions) => Promise<Document> {
  const node = parse(expression)
  const tested = masks ? testedSecret(node) : undefined
  if (tested !== undefined) {
    throw new UsageError(`The --query tests ${tested}, which tables mask`, { hint: 'Add -o json, or --reveal' })
  }
  const checked = checkOrders(node) as Node
  return async (document, { onUnsuited } = {}) => {
    const whole = await collect(document).catch(refuseDeep)
    try {
      return answer(search(checked, whole), whole, document.view)
    } catch (error) {
      if (!(error instanceof UsageError) || !onUnsuited) throw error
      onUnsuited(error)
      return answer(error instanceof OrderedTexts ? search(node, whole) : null, whole, document.view)
    }
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

/** The first secret field in a comparison, in the condition of a filter or in an argument of a function. */
function testedSecret(node: unknown): string | undefined {
  const nodes = nodesIn(node)
  // `{t: api_token}` gives a secret another name.
  const names = nodes.filter(({ type, value }) => type === 'KeyValuePair' && fieldsIn(value).some(isSecret))
  const isHidden = (field: string) => isSecret(field) || names.some(({ name }) => name === field)
  const tested = nodes.flatMap(one => {
    if (['Comparator', 'NotExpression', 'Function'].includes(String(one.type))) return fieldsIn(one)
    return ['FilterProjection', 'Ternary'].includes(String(one.type)) ? fieldsIn(one.condition) : []
  })
  return tested.find(isHidden)
}

function fieldsIn(node: unknown): string[] {
  return nodesIn(node).flatMap(({ type, name }) => (type === 'Field' ? [String(name)] : []))
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

async function collect({ shape, batches, envelope }: Document): Promise<JSONValue> {
  const values: JSONValue[] = []
  for await (const batch of batches) for (const item of batch) values.push(plain(decode(item)) as JSONValue)
  if (shape === 'object') return values[0] ?? null
  if (!envelope) return values
  const { count, next, previous } = envelope()
  const around = Object.entries({ count, next, previous }).map(([name, raw]) => [name, plain(decode(raw))])
  return { results: values, ...Object.fromEntries(around) } as JSONValue
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
