import { RejectedError, UsageError } from '../../errors.ts'
import { decode, encode, plain } from '../../json/exact.ts'
import { type Item, Malformed } from '../../json/item.ts'
import { compile, isSingleValue, kindOf } from '../../json/pick.ts'
import type { Document, View } from '../document.ts'
import { masked } from '../mask.ts'
import { rowView, undocumented } from '../views.ts'
import { type JSONValue, OrderedTexts, parseExpression } from './expression.ts'
import type { FoundColumns } from './expression-columns.ts'
import { isSameMasked, masksIn } from './same-masked.ts'

type QueryAnswer = Document & { readonly batches: readonly (readonly Item[])[] }

interface QueryOptions {
  readonly masks?: boolean
  /** Called after a write, when the query cannot be refused any more; without it, the failure is thrown. */
  readonly onUnsuited?: ((failure: UsageError) => void) | undefined
}

/** Throws `UsageError`, now or when it runs. Integers beyond 2^53 become strings. `asIds`: nothing may be computed. */
export function parseQuery(
  expression: string,
  { asIds = false } = {},
): (document: Document, querying?: QueryOptions) => Promise<Document> {
  const { columns, search, searchAnyway } = parseExpression(expression, asIds)
  return async (document, { masks = false, onUnsuited } = {}) => {
    const { whole, shown } = await collect(document, masks).catch(refuseDeep)
    const answerWith = (result: JSONValue, onFault: (failure: UsageError) => void) => {
      const answered = answer(result, shown, document.view, columns)
      return asIds ? identified(answered, onFault) : answered
    }
    try {
      const result = search(shown)
      // A query that only shows secrets gives the same result with masks.
      if (shown !== whole && !isSameMasked(search(whole), result, masksIn(whole, shown))) {
        throw new TestedSecrets()
      }
      return answerWith(result, onUnsuited ?? fail)
    } catch (error) {
      if (!(error instanceof UsageError) || !onUnsuited) throw error
      onUnsuited(error)
      return answerWith(error instanceof OrderedTexts ? searchAnyway(shown) : null, () => undefined)
    }
  }
}

class TestedSecrets extends UsageError {
  constructor() {
    super('The --query compares or counts by a value that tables mask', { hint: 'Add -o json, or --reveal' })
  }
}

function refuseDeep(cause: unknown): never {
  if (!(cause instanceof Malformed) || cause.reason !== 'nested too deeply') throw cause
  throw new RejectedError('A record of the answer is nested too deeply for --query', {
    hint: 'Leave --query out, and use -o ndjson to get it as it came',
    cause,
  })
}

/** Returns the document and its masked form; both are the same object if nothing is masked. */
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

function answer(result: JSONValue, whole: JSONValue, view: View, columns: FoundColumns): QueryAnswer {
  const came = new Set([whole, ...(Array.isArray(whole) ? whole : [])])
  // Selected records keep their columns; new values get their own.
  const looking = (values: readonly JSONValue[]) => (values.every(value => came.has(value)) ? view : undocumented)
  const items = (Array.isArray(result) ? result : [result]).map(value => Buffer.from(encode(value)))
  if (!Array.isArray(result)) return { shape: 'object', batches: [items], view: looking([result]) }
  const named = result.length === 0 && columns !== 'as they came' ? rowView(columns) : undefined
  return { shape: 'list', batches: [items], view: named ?? looking(result) }
}

/** `null` is not printed. `onFault` gets a failure for values without an id, which are left out if it returns. */
function identified(document: QueryAnswer, onFault: (failure: UsageError) => void): QueryAnswer {
  const { id, table } = document.view
  const { pick } = compile([id])
  const [items = []] = document.batches
  const values = items.filter(item => kindOf(item) !== 'null')
  // Items of a view contain persons.
  const ids = table ? values : values.filter(item => isSingleValue(kindOf(item) === 'object' ? pick(item)[0] : item))
  if (ids.length < values.length) {
    onFault(new UsageError(`The --query gives a value without ${id}`, { hint: 'Give another one, or -o json' }))
  }
  return { ...document, batches: ids.length > 0 ? [ids] : [] }
}

function fail(failure: UsageError): never {
  throw failure
}
