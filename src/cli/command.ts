/** What a command is: a value with one function, and the function returns data. */
import type { Client } from '../api/client.ts'
import type { Endpoint } from '../api/endpoints.ts'
import type { Host } from '../host.ts'
import type { Document, RenderOptions } from '../output/document.ts'
import type { Messages } from '../output/messages.ts'
import type { Settings } from '../profiles/current.ts'
import type { Values } from '../profiles/settings.ts'
import type { Format } from '../values/formats.ts'
import type { Secrets } from '../values/secrets.ts'
import type { ArgumentSpecs, ArgumentsOf, OptionSpecs, OptionsOf } from './options.ts'

export interface Command<A extends ArgumentSpecs = ArgumentSpecs, O extends OptionSpecs = OptionSpecs> {
  /** One line, for the list of commands: sentence case, no full stop. */
  readonly summary: string
  /** More paragraphs of help. */
  readonly details?: string
  /** The endpoints that it may call. */
  readonly calls: readonly Endpoint[]
  readonly args: A
  readonly options: O
  /** Command lines that work on the sandbox, without the leading `analytics`; a comment behind `#` is the caption. */
  readonly examples: readonly string[]
  /** Throws a `Failure` for whatever ends in an exit code of its own. */
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
  /** `settings.values` */
  readonly values: Values
  readonly messages: Messages
  readonly consent: Consent
  /** What no message may show; whoever learns a secret adds it. */
  readonly secrets: Secrets
  /** The folder of jobs and the sandbox. Throws `UsageError` where none is known. */
  stateFolder(): string
  /** Connects to the service or to the sandbox; sends nothing yet. Later calls get the first connection. */
  connect(bulk?: Bulk): Promise<Connection>
  /** Connects by other settings, such as those of a profile that is being set up. */
  connectAs(settings: Settings): Promise<Connection>
}

/** Whether a person agreed to the writes of this command; the safety level `confirm` lets none pass before. */
export interface Consent {
  given: boolean
}

/** A run of many requests waits longer for the service, and keeps this many connections open. */
export interface Bulk {
  readonly connections: number
}

export interface Connection {
  readonly client: Client
  /** The name of the target in messages: a profile, a host, or `sandbox`. */
  readonly place: string
  /** The service's time in ms: the sandbox's own, else this machine's. */
  now(): number
  /** Whether a text holds the key in use, as it is or encoded. Throws what reading the key throws. */
  holdsKey(text: string): Promise<boolean>
  /** The project to work in. Throws `UsageError` when nobody named one. */
  project(): string
  /**
   * The organization of the plugins: the named one, else that of the project, which is read.
   * Throws `UsageError` when neither is known.
   */
  organization(): Promise<string>
}

/** A document that draws itself in one format, such as a diff, unless fields were chosen. */
export interface Drawn {
  readonly format: Format
  draw(look: RenderOptions): string
}

/** What `run` of a command returns, to be printed. */
export type Result = (
  | { readonly document: Document; readonly drawn?: Drawn }
  /** The server's body as it is. */
  | { readonly bytes: AsyncIterable<Uint8Array> }
  | { readonly text: string | ((look: RenderOptions) => string) }
) & {
  /** The format where `-o` gives none. */
  readonly format?: Format
  /** True for work that continues after the reader of stdout has gone: `afterwards` is then called too. */
  readonly persists?: true
  /** The exit code of another program that was run. */
  readonly exit?: number
  /** Called when everything has been printed. */
  readonly afterwards?: () => void | Promise<void>
}
