/** A dry run's writes, as data in the place of the result that they would have had. */
import type { Result } from './cli/command.ts'
import type { Request } from './http/message.ts'
import type { Item } from './json/item.ts'

const fields = ['method', 'url', 'body']

/** What is kept of a write: there may be a hundred thousand of them. */
export function planOf({ method, url, body }: Request): Item {
  return Buffer.from(`{"method":${JSON.stringify(method)},"url":${JSON.stringify(url.href)},"body":${body ?? 'null'}}`)
}

export function plan(items: readonly Item[]): Result {
  return { document: { shape: 'list', batches: [items], view: { columns: fields, fields, id: 'url' } } }
}
