/** A command is a value with one function that returns data. */
import type { Client } from '../api/client.ts'
import type { Endpoint, Kinds } from '../api/endpoints.ts'
import type { ExitCode } from '../errors.ts'
import type { Host } from '../host.ts'
import type { Messages } from '../messages/messages.ts'
import type { Document, RenderOptions } from '../output/document.ts'
import type { Settings } from '../profiles/current.ts'
import type { ValuesInUse } from '../profiles/settings.ts'
import type { Secrets } from '../secrets/secrets.ts'
import type { Format } from '../values/formats.ts'
import type { ArgumentSpecs, ArgumentsOf, OptionSpecs, OptionsOf } from './options.ts'

export interface Command<A extends ArgumentSpecs = ArgumentSpecs, O extends OptionSpecs = OptionSpecs> {
  /** One line for the list of commands: sentence case, no full stop. */
  readonly summary: string
  readonly details?: string
  readonly calls: readonly Endpoint[]
  /** Exit codes beside those that follow from `calls`. */
  readonly exits?: readonly ExitCode[]
  readonly args: A
  readonly options: O
  /** The fields of rows of this program; those of the service follow from `calls`. */
  readonly fields?: Kinds
  /** Examples for the sandbox, without the leading `analytics`; a caption follows `#`. */
  readonly examples: readonly string[]
  /** Throws a `Failure` for each exit code but 0. */
  run(args: ArgumentsOf<A>, options: OptionsOf<O>, context: Context): Promise<Result>
}

export function defineCommand<const A extends ArgumentSpecs, const O extends OptionSpecs>(
  command: Command<A, O>,
): Command<A, O> {
  return command
}

export function splitExample(example: string): { readonly line: string; readonly caption: string | undefined } {
  const [, line = example, caption] = /^(.*?) # (.*)$/s.exec(example) ?? []
  return { line, caption }
}

export interface Context {
  readonly host: Host
  readonly settings: Settings
  readonly values: ValuesInUse
  readonly messages: Messages
  readonly consent: Consent
  /** Secrets that no message may show; whoever reads one adds it. */
  readonly secrets: Secrets
  /** The folder of jobs and the sandbox. Throws `UsageError` where none is known. */
  stateFolder(): string
  /** Sends nothing yet. */
  connect(): Promise<Connection>
  /** Connects with other settings, such as those of a profile that is being set up. */
  connectAs(settings: Settings): Promise<Connection>
}

/** Whether a person agreed to the writes; the safety level `confirm` stops all writes before that. */
export interface Consent {
  given: boolean
}

export interface Connection {
  readonly client: Client
  /** The server in messages: `prod, analytics.example.com`, the host where there is no profile, or `sandbox`. */
  readonly serverName: string
  /** Service time in ms: the clock of the sandbox, else of this machine. */
  now(): number
  /** Whether a text holds the key in use, plain or encoded. Throws what reading the key throws. */
  holdsKey(text: string): Promise<boolean>
  /** Throws `UsageError` where no project is named. */
  project(): string
  /** Throws `UsageError` where neither an organization nor a project is named. Sends nothing. */
  requireOrganization(): void
  /** The named organization, else that of the project, which is read. Throws `UsageError` when neither is known. */
  organization(): Promise<string>
}

/** A document that draws itself in one format, such as a diff, unless fields are chosen. */
interface Drawn {
  readonly format: Format
  draw(options: RenderOptions): string
}

export type Result = (
  | { readonly document: Document; readonly drawn?: Drawn }
  | { readonly bytes: AsyncIterable<Uint8Array> }
  | { readonly text: string | ((options: RenderOptions) => string) }
) & {
  /** The format without `-o`. */
  readonly format?: Format
  /** Something was written, or is agreed to: `afterwards` is called even where printing fails or the reader of stdout is gone. */
  readonly isWrite?: true
  /** True for what its owner alone may read: a file that it is written to gets the mode 0600. */
  readonly isPrivate?: true
  /** What ends the command, known before anything is printed: it is told even where the reader of stdout is gone. */
  readonly failure?: unknown
  /** The exit code of another program that was run. */
  readonly exit?: number
  readonly afterwards?: () => void | Promise<void>
}
