/** Parses JMESPath, and refuses expressions that would silently give wrong results. */
import {
  compile,
  isRegistered,
  type JSONValue,
  register,
  registerFunction,
  TreeInterpreter,
  TYPE_ANY,
  TYPE_ARRAY,
  TYPE_EXPREF,
} from '@jmespath-community/jmespath'
import { UsageError } from '../../errors.ts'
import { columnsFound, type FoundColumns } from './expression-columns.ts'
import { type ExpressionNode, isNode, nodesIn, type ParsedExpression, replaced } from './expression-nodes.ts'

export type { JSONValue }

interface Expression {
  readonly columns: FoundColumns
  /** Throws `OrderedTexts` if the expression compares texts by order. */
  search(whole: JSONValue): JSONValue
  /** Comparing texts by order gives null. */
  searchAnyway(whole: JSONValue): JSONValue
}

/** Throws `UsageError`. `asIds`: results are used as ids, so the expression must not compute values. */
export function parseExpression(text: string, asIds: boolean): Expression {
  const node = parse(text)
  // A count used as an id would name a record that nobody chose.
  if (asIds && computes(node)) {
    throw new UsageError('The --query gives no ids: it computes values', { hint: 'Give -o json' })
  }
  const checked = checkOrders(node)
  return {
    columns: columnsFound(node),
    search: whole => search(checked, whole),
    searchAnyway: whole => search(node, whole),
  }
}

function parse(expression: string): ParsedExpression {
  let node: ParsedExpression
  try {
    // Like aws: a literal that is not JSON is text.
    node = compile(expression, { enable_legacy_literals: true })
  } catch (error) {
    throw wrong('is not JMESPath', error)
  }
  const unknown = functionsIn(node).find(name => !isRegistered(name))
  if (unknown !== undefined) throw wrong(`calls ${unknown}, a function that JMESPath does not have`)
  if (ordersText(node)) throw new OrderedTexts()
  return node
}

function search(node: ParsedExpression, whole: JSONValue): JSONValue {
  try {
    return TreeInterpreter.search(node, whole)
  } catch (error) {
    if (error instanceof OrderedTexts) throw error
    throw wrong('does not fit the result', error)
  }
}

export class OrderedTexts extends UsageError {
  constructor() {
    super('The --query compares texts with < or >, for which JMESPath returns null', {
      hint: "Select rows with --where, such as --where 'created_at>2026-01-31'",
    })
  }
}

/** JMESPath orders only numbers. These signs are function names that no expression can call. */
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

function checkOrders(node: ParsedExpression): ParsedExpression {
  return replaced(node, one =>
    isOrder(one) ? { type: 'Function', name: orders[one.name], children: [one.left, one.right] } : one,
  )
}

/** The library's `max_by` and `min_by` work only with numbers, and return null for texts. */
const extremes = { max_by: (order: number) => order > 0, min_by: (order: number) => order < 0 }

for (const [name, isBetter] of Object.entries(extremes)) {
  const find = ([rows, key]: unknown[]) => {
    let found: JSONValue = null
    let best: string | number | undefined
    for (const row of rows as JSONValue[]) {
      const value = TreeInterpreter.visit(key as Parameters<typeof TreeInterpreter.visit>[0], row)
      if (typeof value !== 'string' && typeof value !== 'number') throw new Error(`${name}() wants numbers or texts`)
      if (best !== undefined && typeof best !== typeof value) throw new Error(`${name}() got numbers and texts`)
      if (best !== undefined && !isBetter(compare(value, best))) continue
      best = value
      found = row
    }
    return found
  }
  registerFunction(name, find, [{ types: [TYPE_ARRAY] }, { types: [TYPE_EXPREF] }], { override: true })
}

/** Compares texts by code point, like `sort_by`. */
function compare(a: string | number, b: string | number): number {
  return typeof a === 'number' ? a - Number(b) : Buffer.compare(Buffer.from(a), Buffer.from(String(b)))
}

function wrong(what: string, cause?: unknown): UsageError {
  const reason = cause instanceof Error ? `: ${cause.message}` : ''
  return new UsageError(`The --query ${what}${reason}`, {
    hint: 'The language is described at https://jmespath.org',
    cause,
  })
}

/** The parser itself finds unknown functions only when they run. */
function functionsIn(node: unknown): string[] {
  return nodesIn(node).flatMap(({ type, name }) => (type === 'Function' ? [String(name)] : []))
}

function ordersText(node: unknown): boolean {
  return nodesIn(node).some(one => isOrder(one) && [one.left, one.right].some(isText))
}

function isOrder(node: ExpressionNode): node is ExpressionNode & { readonly name: keyof typeof orders } {
  return node.type === 'Comparator' && Object.hasOwn(orders, String(node.name))
}

function isText(node: unknown): boolean {
  return typeof node === 'object' && node !== null && 'value' in node && typeof node.value === 'string'
}

const computing = [
  'abs',
  'avg',
  'ceil',
  'contains',
  'ends_with',
  'find_first',
  'find_last',
  'floor',
  'length',
  'starts_with',
  'sum',
  'type',
]

const comparing = ['Arithmetic', 'Comparator', 'NotExpression', 'Unary']

/** True if numbers or booleans that are not in the data may come out. Conditions and sort keys only choose. */
function computes(node: unknown): boolean {
  if (Array.isArray(node)) return node.some(computes)
  if (!isNode(node)) return false
  const { condition, ...rest } = node
  if (comparing.includes(String(node.type))) return true
  if (node.type !== 'Function') return Object.values(rest).some(computes)
  const isKey = node.name !== 'map'
  const children = node.children as readonly ExpressionNode[]
  return (
    computing.includes(String(node.name)) ||
    children.some(one => !(isKey && one.type === 'ExpressionReference') && computes(one))
  )
}
