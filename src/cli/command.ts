/** What a command is: a value with one function, and the function returns data. */
import type { Client } from '../api/client.ts'
import type { Endpoint } from '../api/endpoints.ts'
import type { Host } from '../host.ts'
import type { Document, RenderOptions } from '../output/document.ts'
import type { Messages } from '../output/messages.ts'
import type { Settings } from '../profiles/current.ts'
import type { Values } from '../profiles/settings.ts'
import type { Format } from '../values/formats.ts'
import type { ArgumentSpecs, ArgumentsOf, OptionSpecs, OptionsOf } from './options.ts'

export interface Command<A extends ArgumentSpecs = ArgumentSpecs, O extends OptionSpecs = OptionSpecs> {
  /** One line, for the list of commands: sentence case, no full stop. */
  readonly summary: string
  /** What the summary leaves open, as paragraphs. */
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

/** An example in its two parts. */
export function splitExample(example: string): { readonly line: string; readonly caption: string | undefined } {
  const [, line = example, caption] = /^(.*?) # (.*)$/s.exec(example) ?? []
  return { line, caption }
}

/** Everything that a command may touch. */
export interface Context {
  readonly host: Host
  readonly settings: Settings
  /** `settings.values`: what each setting is for this run. */
  readonly values: Values
  readonly messages: Messages
  readonly consent: Consent
  /** The folder of jobs and the sandbox. Throws `UsageError` where there is none to be had. */
  stateFolder(): string
  /** Opens the way to the service, or to the sandbox; nothing is sent yet. The first call decides for what. */
  connect(bulk?: Bulk): Promise<Connection>
  /** The same by settings other than this run's: those of a profile that is being set up. */
  connectAs(settings: Settings): Promise<Connection>
}

/** Whether a person agreed to the writes of this command; the safety level `confirm` lets none pass before. */
export interface Consent {
  given: boolean
}

/** What a run of many requests needs: waits may be longer, and so many connections are kept open. */
export interface Bulk {
  readonly connections: number
}

export interface Connection {
  readonly client: Client
  /** How messages call where this goes: a profile's name, a host, or `sandbox`. */
  readonly place: string
  /** The service's time in ms: the sandbox's own, else this machine's. */
  now(): number
  /** Whether a text holds the key in use, as it is or encoded. Throws what reading the key throws. */
  holdsKey(text: string): Promise<boolean>
  /** The project to work in. Throws `UsageError` when nobody named one. */
  project(): string
  /**
   * The organization of the plugins: the one that was named, or else the one of the project, which is read for it.
   * Throws `UsageError` when neither is to be had.
   */
  organization(): Promise<string>
}

/** A document's own look in one format, where nobody chose fields of it: a diff is no table. */
export interface Drawn {
  readonly format: Format
  draw(look: RenderOptions): string
}

/** What a command answers with; `run` prints it. */
export type Result = (
  | { readonly document: Document; readonly drawn?: Drawn }
  /** The server's body as it is. */
  | { readonly bytes: AsyncIterable<Uint8Array> }
  | { readonly text: string | ((look: RenderOptions) => string) }
) & {
  /** How it is printed where nobody named a format with `-o`. */
  readonly format?: Format
  /** True for work that does not end because its reader left: `afterwards` is called all the same. */
  readonly persists?: true
  /** The exit code, where it is another program's to give. */
  readonly exit?: number
  /** Called when all of it has been printed: what is to be said then, or waited for. */
  readonly afterwards?: () => void | Promise<void>
}
