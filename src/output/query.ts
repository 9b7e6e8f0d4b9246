/** `--query`: JMESPath as the library has it, over the whole result. */
import { compile, isRegistered, type JSONValue, TreeInterpreter } from '@jmespath-community/jmespath'
import { UsageError } from '../errors.ts'
import { isObject, plain, valueAt } from '../json/exact.ts'
import { itemOf } from '../json/read-item.ts'
import { type Document, mapItems, type View } from './document.ts'
import { masked } from './mask.ts'
import { undocumented } from './views.ts'

interface QueryOptions {
  /** A query may give a secret another name, which a table would not mask. */
  readonly masks: boolean
  /** Called after a write, when the query cannot be refused any more. */
  readonly warn: ((failure: UsageError) => void) | undefined
}

type Query = (document: Document, options: QueryOptions) => Promise<Document>

/** Throws `UsageError`, now or when it runs. */
export function parseQuery(expression: string, asIds: boolean): Query {
  const node = parse(expression)
  if (asIds && nodesIn(node).some(({ type }) => type === 'FilterProjection')) {
    throw new UsageError('--query selects nothing, so a filter in it, [?…], gives no ids', {
      hint: 'Select with --where, such as --where properties.plan=pro',
    })
  }
  return async (document, { masks, warn }) => {
    const { view } = document
    const whole = await collect(masks ? mapItems(document, ({ value }) => itemOf(masked(value))) : document)
    const show = (result: JSONValue) => (asIds ? identified(result, view) : answer(result, whole, view))
    try {
      return show(search(node, whole))
    } catch (error) {
      if (!(error instanceof UsageError) || !warn) throw error
      warn(error)
      return show(null)
    }
  }
}

function parse(expression: string) {
  try {
    // Like aws: a literal that is not JSON is text.
    const node = compile(expression, { enable_legacy_literals: true })
    const unknown = nodesIn(node).find(({ type, name }) => type === 'Function' && !isRegistered(String(name)))
    if (unknown) throw new Error(`there is no function ${unknown.name}`)
    return node
  } catch (error) {
    throw wrong('is not JMESPath', error)
  }
}

function search(node: ReturnType<typeof compile>, whole: JSONValue): JSONValue {
  try {
    return TreeInterpreter.search(node, whole)
  } catch (error) {
    throw wrong('does not fit the result', error)
  }
}

function wrong(what: string, cause: unknown): UsageError {
  return new UsageError(`The --query ${what}${cause instanceof Error ? `: ${cause.message}` : ''}`, {
    hint: 'The language is described at https://jmespath.org',
    cause,
  })
}

/** Leaves out literals, which are data. */
function nodesIn(value: unknown): Readonly<Record<string, unknown>>[] {
  if (typeof value !== 'object' || value === null || ('type' in value && value.type === 'Literal')) return []
  return [{ ...value }, ...Object.values(value).flatMap(nodesIn)]
}

/** Integers beyond 2^53 become strings. */
async function collect({ batches, shape }: Document): Promise<JSONValue> {
  const values: JSONValue[] = []
  for await (const batch of batches) for (const { value } of batch) values.push(plain(value) as JSONValue)
  return shape === 'object' ? (values[0] ?? null) : values
}

/** Selected records keep their columns; new values get their own. */
function answer(result: JSONValue, whole: JSONValue, view: View): Document {
  const came = new Set([whole, ...(Array.isArray(whole) ? whole : [])])
  const values = Array.isArray(result) ? result : [result]
  const isSelection = values.length > 0 && values.every(value => came.has(value))
  return {
    shape: Array.isArray(result) ? 'list' : 'object',
    batches: [values.map(itemOf)],
    view: isSelection ? view : undocumented,
  }
}

function identified(result: JSONValue, view: View): Document {
  const items = (Array.isArray(result) ? result : [result]).filter(value => value !== null).map(itemOf)
  // Items of a view hold persons.
  if (
    view.table !== 'people' &&
    !items.every(({ value }) => isSingle(isObject(value) ? valueAt(value, view.id) : value))
  ) {
    throw new UsageError(`The --query gives a value without ${view.id}`, { hint: 'Give another one, or -o json' })
  }
  return { shape: 'list', batches: [items], view }
}

function isSingle(value: unknown): boolean {
  return value !== null && ['string', 'number', 'boolean'].includes(typeof value)
}
