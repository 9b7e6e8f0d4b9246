/** The options that every list has, and the reading of a list by them. */
import type { Input } from '../api/client.ts'
import type { Endpoint } from '../api/endpoints.ts'
import { type List, list, type Reading } from '../api/pages.ts'
import { UsageError } from '../errors.ts'
import type { View } from '../output/document.ts'
import { grouped } from '../values/grouped.ts'
import { atLeast } from '../values/kinds.ts'
import type { Context, Result } from './command.ts'
import { flag, type OptionsOf, option } from './options.ts'

export const paging = {
  limit: option(atLeast(1), 'N', 'maximum number of rows'),
  all: flag('every row, page after page'),
  pageSize: option(atLeast(1), 'N', 'rows per request'),
  offset: option(atLeast(0), 'N', 'number of rows to skip'),
  envelope: flag('with -o json: the rows inside {results, count, next, previous}'),
}

export type Paging = OptionsOf<typeof paging>

export interface Listing<E extends Endpoint> {
  readonly endpoint: E
  readonly input: Input<E>
  readonly view: View
  /** Rows per request with `--all`. */
  readonly largePage: number
}

/** Reads a list as its paging options say. Nothing is sent before the result is printed. */
export async function listing<E extends Endpoint>(
  context: Context,
  what: Listing<E>,
  options: Paging,
): Promise<Result> {
  const { client } = await context.connect()
  const query = { ...what.input.query, limit: pageSize(options, what.largePage), offset: options.offset }
  const request = client.request(what.endpoint, { ...what.input, query } as Input<E>)
  return listed(context, reading => list(client, request, reading), what.view, options)
}

/** The result that a list makes, and what is said once its rows have been printed; `wayOn`: the option that shows all. */
export function listed(
  context: Context,
  open: (reading: Reading) => List,
  view: View,
  options: Paging,
  wayOn = '--all',
): Result {
  const { messages, values } = context
  if (options.envelope && values.output !== 'json') {
    throw new UsageError('--envelope goes with -o json only', { hint: 'Add -o json, or leave --envelope out' })
  }
  const { batches, seen } = open({
    limit: options.limit,
    follow: options.all || options.limit !== undefined,
    onRepeat: () => messages.warn('The service led back to a page already read, so the list ends there'),
  })
  return {
    document: { shape: 'list', batches, view, ...(options.envelope ? { envelope: seen } : {}) },
    afterwards() {
      const { rows, count, more } = seen()
      if (rows === 0 && !more) messages.notice('Nothing found')
      if (!more || options.all || options.limit !== undefined) return
      // Real servers do not count persons.
      const shown = count === 'null' ? `${grouped(rows)}, and there are more` : `${grouped(rows)} of ${grouped(count)}`
      messages.notice(`Showing ${shown} (use ${wayOn})`)
    },
  }
}

/** Unset, the server's own page is taken, unless fewer rows are wanted than it would hold. */
function pageSize(options: Paging, largePage: number): number | undefined {
  if (options.pageSize !== undefined) return options.pageSize
  if (options.limit !== undefined && options.limit < 100) return options.limit
  return options.all ? largePage : undefined
}
