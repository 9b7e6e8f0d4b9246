/** `--server-format` sends the `format` parameter and prints the body unchanged. */
import { recordIn } from '../../api/answers/answer.ts'
import { type Client, wholeBody } from '../../api/client.ts'
import { refuseBeside, replaceable } from '../../cli/options.ts'
import type { Context } from '../../context.ts'
import { bodyFrom } from '../../http/body.ts'
import type { Request, Response } from '../../http/message.ts'
import { readItem } from '../../json/read-item.ts'
import { type Result, read, write } from '../../result.ts'
import { oneOf } from '../../values/kinds.ts'
import type { Paging } from './paging.ts'

type ServerFormat = 'csv' | 'json'

export function serverFormatOption(scope = '') {
  return replaceable(oneOf('csv', 'json'), 'FORMAT', `print the server's own csv or json${scope}`)
}

interface Given extends Partial<Paging> {
  readonly serverFormat?: ServerFormat | undefined
}

/** Throws `UsageError` for options that would change the body; `isPaged`: limit and offset are allowed. */
export function checkServerFormat({ config: { typed } }: Context, given: Given, isPaged = true): void {
  if (given.serverFormat === undefined) return
  const { query, fields } = typed
  const { all, where, limit = 0, offset, pageSize = 0 } = given
  const isCut = !isPaged || pageSize > limit
  const beside = { query, fields, all, where, limit: isCut && limit, offset: !isPaged && offset }
  refuseBeside(
    '--server-format prints one answer unchanged',
    beside,
    'Leave one of them out; -o csv makes CSV of all rows',
  )
}

/** Servers refuse CSV if only JSON is accepted. */
function acceptingCsv(request: Request): Request {
  return { ...request, headers: { ...request.headers, accept: 'application/json, text/csv;q=0.9, */*;q=0.5' } }
}

export async function untouched(client: Client, request: Request): Promise<Result> {
  const { body } = await client.send(acceptingCsv(request))
  return read({ bytes: body })
}

/** Throws `RejectedError` if the JSON is another record than the requested one. */
export async function untouchedRecord(client: Client, request: Request, id: string): Promise<Result> {
  const response = await client.send(acceptingCsv(request))
  const body = await wholeBody(response)
  if (request.url.searchParams.get('format') === 'json' || isJson(body.toString().trim())) {
    recordIn(request, { item: readItem(body), status: response.status }, id)
  }
  return read({ bytes: bodyFrom([body]) })
}

/** A CSV header may also begin with a quote. */
function isJson(body: string): boolean {
  return /^(?:[{[]|(?:"[^"\\]*(?:\\.[^"\\]*)*"|null|true|false|-?\d[\d.e+-]*)$)/is.test(body)
}

export function asItCame(body: Response['body'], onNothing: () => void): Result {
  async function* bytes() {
    let isEmpty = true
    for await (const chunk of body) {
      isEmpty = false
      yield chunk
    }
    if (isEmpty) onNothing()
  }
  return write({ bytes: bytes() })
}
