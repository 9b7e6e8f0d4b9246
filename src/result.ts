/** What a command returns: data for stdout, and how the command ends after that. */
import type { Format, Values } from './config/settings.ts'
import type { Line } from './messages/messages.ts'
import type { Document } from './output/views.ts'

export interface Result {
  readonly data: Data
  /** The command's own table; --fields replaces it. */
  readonly draw?: (() => readonly Line[]) | undefined
  /** Default format; -o overrides it. */
  readonly format?: Format | undefined
  /** After printing. Throws a `Failure` for every exit code except 0. */
  readonly end?: (() => void | Promise<void>) | undefined
}

type Data = Document | { readonly text: string | Iterable<string> } | { readonly bytes: Buffer }

export const noData: Data = { text: '' }

/** True if the command shows its own table. */
export function isTable({ output = 'table', fields }: Values): boolean {
  return output === 'table' && fields === undefined
}
