/** What a command gets, and what it returns. */
import type { Client } from './api/client.ts'
import type { Config } from './config/current.ts'
import type { Format, Values } from './config/settings.ts'
import type { Host } from './host.ts'
import type { Line, Messages } from './messages/messages.ts'
import type { StatusLine } from './messages/progress.ts'
import type { Document } from './output/views.ts'
import type { Secrets } from './secrets/secrets.ts'

export interface Context {
  readonly host: Host
  readonly config: Config
  readonly messages: Messages
  /** Messages hide these; code that reads a secret adds it. */
  readonly secrets: Secrets
  readonly values: Config['values']
  readonly progress: StatusLine
  /** Throws `UsageError` if the folder of jobs and the sandbox is unknown. */
  stateFolder(): string
  /** Sends no request. */
  connect(): Promise<Connection>
  connectAs(config: Config): Promise<Connection>
}

export interface Connection {
  readonly client: Client
  /** For messages: `prod, analytics.example.com`, only the host without a profile, or `sandbox`. */
  readonly serverName: string
  now(): number
  /** Milliseconds between two requests by `--rate`. */
  readonly interval: number | undefined
  /** Finds the key in use, plain or encoded. Throws errors of reading the key. */
  holdsKey(text: string): Promise<boolean>
  project(): string
  /** Resolves `@current`, once. */
  resolvedProject(): Promise<string>
  /** Throws `UsageError` if no organization and no project is given. Sends no request. */
  requireOrganization(): void
  /** Reads the organization from the project if none is given. Throws `UsageError` if neither is known. */
  organization(): Promise<string>
}

/** Data for stdout, and how the command ends after that. */
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
