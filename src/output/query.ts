/** `--query`: JMESPath over the whole result. */
import { compile, isRegistered, type JSONValue, TreeInterpreter } from '@jmespath-community/jmespath'
import { UsageError } from '../errors.ts'
import { decode, encode, plain } from '../json/exact.ts'
import type { Document, View } from './document.ts'
import { undocumented } from './views.ts'

export async function query(document: Document, expression: string): Promise<Document> {
  return parseQuery(expression)(document)
}

/** Throws `UsageError` for an invalid expression, here or when it runs. Integers beyond 2^53 become strings. */
export function parseQuery(expression: string): (document: Document) => Promise<Document> {
  const node = parse(expression)
  return async document => {
    const whole = await collect(document)
    return answer(search(node, whole), whole, document.view)
  }
}

type Node = ReturnType<typeof compile>

function parse(expression: string): Node {
  let node: Node
  try {
    node = compile(expression)
  } catch (error) {
    throw wrong('is not JMESPath', error)
  }
  const unknown = functionsIn(node).find(name => !isRegistered(name))
  if (unknown !== undefined) throw wrong(`calls ${unknown}, a function that JMESPath does not have`)
  if (ordersText(node)) {
    throw new UsageError('The --query orders texts with < or >, which JMESPath answers with nothing', {
      hint: "Select rows with --where, such as --where 'created_at>2026-01-31'",
    })
  }
  return node
}

function search(node: Node, whole: JSONValue): JSONValue {
  try {
    return TreeInterpreter.search(node, whole)
  } catch (error) {
    throw wrong('does not suit what came', error)
  }
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
  if (Array.isArray(node)) return node.flatMap(functionsIn)
  if (typeof node !== 'object' || node === null || ('type' in node && node.type === 'Literal')) return []
  const own = 'type' in node && node.type === 'Function' && 'name' in node ? [String(node.name)] : []
  return [...own, ...Object.values(node).flatMap(functionsIn)]
}

/** Whether an expression orders a text literal: JMESPath orders only numbers. */
function ordersText(node: unknown): boolean {
  if (Array.isArray(node)) return node.some(ordersText)
  if (typeof node !== 'object' || node === null || ('type' in node && node.type === 'Literal')) return false
  const children: unknown[] = Object.values(node)
  const isOrder = 'type' in node && node.type === 'Comparator' && 'name' in node && /^[LG]TE?$/.test(String(node.name))
  return (isOrder && children.some(isText)) || children.some(ordersText)
}

function isText(node: unknown): boolean {
  return typeof node === 'object' && node !== null && 'value' in node && typeof node.value === 'string'
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
