/** A dry run's writes, as data in the place of the result that they would have had. */
import type { Result } from './cli/command.ts'
import type { Request } from './http/message.ts'

const fields = ['method', 'url', 'body']

export function plan(requests: readonly Request[]): Result {
  const items = requests.map(({ method, url, body }) =>
    Buffer.from(`{"method":${JSON.stringify(method)},"url":${JSON.stringify(url.href)},"body":${body ?? 'null'}}`),
  )
  return { document: { shape: 'list', batches: [items], view: { columns: fields, fields, id: 'url' } } }
}
