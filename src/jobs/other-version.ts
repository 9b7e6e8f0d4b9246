/** Jobs of another version of this program: they are listed, and only that version reads more of them. */
import { join } from 'node:path'
import { UsageError } from '../errors.ts'
import { readRegularFile } from '../files/regular-file.ts'
import { isObject } from '../json/exact.ts'

/** What a list of jobs shows, as far as the job says it. */
export interface JobFacts {
  readonly command: string
  readonly base: string
  readonly path: Readonly<Record<string, string>>
  readonly created_at: string
}

export class OtherVersionError extends UsageError {
  constructor({ name }: { readonly name: string }) {
    super(`Job ${name} was made by another version of analytics`, { hint: 'Go on with it in that version' })
  }
}

/** Call it after `readHeader` threw `OtherVersionError`: then `job.json` is an object. */
export function factsOf({ folder }: { readonly folder: string }): JobFacts {
  const header: unknown = JSON.parse(readRegularFile(join(folder, 'job.json')).toString())
  const { command, base, path, created_at } = isObject(header) ? header : {}
  const text = (value: unknown) => (typeof value === 'string' ? value : '')
  const scopes = Object.entries(isObject(path) ? path : {}).map(([name, value]) => [name, text(value)] as const)
  return { command: text(command), base: text(base), path: Object.fromEntries(scopes), created_at: text(created_at) }
}
