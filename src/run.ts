/** Turns a command line into output and an exit code. Only this file catches all errors. */
import type { Bulk, Command, Context } from './cli/command.ts'
import { asksFor, type CommandLine, hasSetting, readCommandLine, typedText } from './cli/parsing/command-line.ts'
import { checkEnvelope, type ParsedCommand, parse } from './cli/parsing/parse.ts'
import { tree } from './commands/tree.ts'
import type { Opened } from './connection/connect.ts'
import { DryRunWrites } from './dry-run.ts'
import {
  Failure,
  InterruptedError,
  ReaderGone,
  RejectedError,
  UnavailableError,
  UnexpectedError,
  UsageError,
} from './errors.ts'
import { raiseFileLimit } from './files/system-error.ts'
import { type Host, isCi } from './host.ts'
import type { Request } from './http/message.ts'
import { proxySecrets } from './http/proxy.ts'
import { Malformed } from './json/item.ts'
import { hideSecrets } from './messages/hide-secrets.ts'
import { createMessages, type Messages } from './messages/messages.ts'
import { showWaiting } from './messages/waiting.ts'
import { outputOfProfile, type Settings, settingsOf } from './profiles/current.ts'
import { stateFolder } from './profiles/folders.ts'
import { settings as settingsTable, type Values } from './profiles/settings.ts'
import { createSecrets, type Secrets } from './secrets/secrets.ts'
import { colored, prepareShow } from './show.ts'

/** Returns the exit code. Never throws. */
export async function run(argv: readonly string[], world: Host): Promise<number> {
  const secrets = createSecrets()
  for (const secret of [world.env.ANALYTICS_API_KEY, ...proxySecrets(world.env)]) secrets.add(secret)
  const host = hideSecrets(world, secrets)
  if (argv[0] === '__complete') return (await import('./complete.ts')).complete(argv.slice(2), host)
  let messagesNow = () => messagesFor({}, host)
  try {
    const typed = await readCommandLine(argv, tree)
    const early = { noColor: hasSetting(typed, 'noColor') || Boolean(host.env.NO_COLOR) }
    // Only an error needs it: a start that reads no profile is quicker.
    messagesNow = () => messagesFor({ ...early, output: outputForErrors(typed, host) }, host)
    const line = await withoutHelpWord(typed)
    if (line.problem && !(line.command && asksFor(line, 'help'))) throw line.problem
    if (asksFor(line, 'version')) return await print(`analytics ${host.version}\n`, host)
    if (!line.command || asksFor(line, 'help')) return await print(await helpText(line, early, host), host)
    const { command, parsed } = await commandOf(line, line.command)
    const settings = settingsOf(parsed.settings, host, command.calls.length > 0)
    secrets.add(settings.values.apiKey)
    const messages = messagesFor(settings.values, host)
    messagesNow = () => messages
    sayWhere(line, settings, messages)
    checkEnvelope(parsed.options, settings.values)
    return await perform(command, parsed, settings, host, messages, secrets)
  } catch (error) {
    return failed(error, host, messagesNow())
  }
}

/** How an error is told before the settings are known; an unreadable format counts as not given. */
function outputForErrors(line: CommandLine, host: Host): Values['output'] {
  for (const text of [typedText(line, 'output'), host.env.ANALYTICS_OUTPUT]) {
    const parsed = settingsTable.output.kind.parse(text ?? '')
    if ('value' in parsed) return parsed.value
  }
  const sandbox = hasSetting(line, 'sandbox') || undefined
  return outputOfProfile({ profile: typedText(line, 'profile'), sandbox }, host)
}

function messagesFor(values: Values, host: Host): Messages {
  return createMessages({
    stderr: host.stderr,
    quiet: values.quiet ?? false,
    json: values.output === 'json' || values.output === 'ndjson',
    color: colored(host.stderr.isTerminal, values, host),
    ci: isCi(host.env),
  })
}

/** `--fields` without a value becomes a command that lists the fields. */
async function commandOf(line: CommandLine, command: Command): Promise<{ command: Command; parsed: ParsedCommand }> {
  if (!hasSetting(line, 'fields') || typedText(line, 'fields') !== undefined) {
    return { command, parsed: parse(line, command) }
  }
  const { fieldsCommand } = await import('./cli/documented-fields.ts')
  const lister = fieldsCommand(command)
  return { command: lister, parsed: parse({ ...line, args: [] }, lister) }
}

/** Every command in the sandbox says so, and names the settings that it ignores. */
function sayWhere({ words }: CommandLine, { values, ignored }: Settings, messages: Messages): void {
  if (!values.sandbox && words[0] !== 'sandbox') return
  messages.say('sandbox: made-up data on this machine')
  // Commands of profiles do use a base URL, because they store it.
  if (ignored.length > 0 && words[0] !== 'profiles') messages.say(`sandbox: ${ignored.join(', ')} ignored`)
}

async function perform(
  command: Command,
  parsed: ParsedCommand,
  settings: Settings,
  host: Host,
  messages: Messages,
  secrets: Secrets,
): Promise<number> {
  const waiting = showWaiting(host, settings.values.quiet ?? false)
  const { show, discard } = await prepareShow(settings, host, messages)
  const writes = new DryRunWrites()
  const dryRun = settings.values.dryRun ? (request: Request) => writes.add(request) : undefined
  const opened = new Map<Settings, Promise<Opened>>()
  const consent = { given: false }
  const open = (by: Settings, bulk?: Bulk) => {
    const way =
      opened.get(by) ??
      import('./connection/connect.ts').then(({ connect }) =>
        connect({ host, settings: by, messages, consent, secrets, dryRun, bulk, awaiting: waiting.awaiting }),
      )
    opened.set(by, way)
    return way
  }
  const context: Context = {
    host,
    settings,
    values: settings.values,
    messages,
    consent,
    secrets,
    stateFolder: () => stateFolder(host),
    connect: bulk => open(settings, bulk),
    connectAs: open,
  }
  try {
    // The parser gave each argument and option its declared type.
    const result = await command.run(parsed.args, parsed.options, context)
    if (dryRun) messages.say('Dry run: nothing was changed')
    const unsent = writes.result()
    if (unsent) {
      await show(unsent)
      return 0
    }
    const counted = 'document' in result ? { ...result, document: waiting.counted(result.document) } : result
    const unshown = await show(counted).then(
      () => undefined,
      (error: unknown) => ({ error }),
    )
    if (result.failure !== undefined) throw result.failure
    if (unshown && !result.isWrite) throw unshown.error
    await result.afterwards?.()
    if (unshown && !(unshown.error instanceof ReaderGone)) throw unshown.error
    return result.exit ?? 0
  } catch (error) {
    throw await afterWrite(error, opened.values())
  } finally {
    waiting.end()
    await discard()
    for (const way of opened.values()) await (await way.catch(() => undefined))?.close()
  }
}

/** After a write, for a journal, a receipt or an output without room: a `UsageError` says that nothing was sent. */
async function afterWrite(error: unknown, opened: Iterable<Promise<Opened>>): Promise<unknown> {
  if (!(error instanceof UsageError)) return error
  for (const way of opened) {
    if (!(await way.catch(() => undefined))?.hasWritten()) continue
    // Not to be tried again: what creates would create a second one.
    return new UnavailableError(`${error.message}; what was sent stays done`, { ...error.facts, retryable: false })
  }
  return error
}

function failed(error: unknown, host: Host, messages: Messages): number {
  if (error instanceof ReaderGone) return 0
  const failure = failureOf(error instanceof InterruptedError ? error : (interruptionOf(host) ?? error))
  messages.error(failure)
  return failure.exit
}

function interruptionOf({ interrupted }: Host): InterruptedError | undefined {
  return interrupted.aborted && interrupted.reason instanceof InterruptedError ? interrupted.reason : undefined
}

function failureOf(cause: unknown): Failure {
  if (cause instanceof Failure) return cause
  // Rows are checked only when they are printed.
  if (cause instanceof Malformed) {
    if (cause.reason === 'nested too deeply') {
      return new RejectedError('A record of the answer is nested too deeply', {
        hint: 'Use -o ndjson to get it as it came',
        cause,
      })
    }
    return new RejectedError(`Unexpected response: ${cause.reason}`, { hint: 'Check the base URL', cause })
  }
  // Modules are loaded and files are opened anywhere.
  const hint = raiseFileLimit(cause)
  if (hint !== undefined) return new UnavailableError('Too many files are open', { hint, cause })
  const what = cause instanceof Error ? cause.message : String(cause)
  return new UnexpectedError(`analytics failed unexpectedly: ${what}`, {
    hint: 'Please report this with the command that you typed',
    cause,
  })
}

async function print(text: string, host: Host): Promise<number> {
  await host.stdout.write(text)
  return 0
}

/** `help persons list` is `persons list --help`; other words are topics. */
async function withoutHelpWord(line: CommandLine): Promise<CommandLine> {
  const { words, args, problem } = line
  if (words[0] !== 'help' || problem || asksFor(line, 'help')) return line
  const [first, second] = args
  const isTopic = first === 'help' ? second !== undefined : first !== undefined && !Object.hasOwn(tree, first)
  return isTopic ? line : readCommandLine([...args, '--help'], tree)
}

async function helpText(line: CommandLine, values: Values, host: Host): Promise<string> {
  const [{ helpOn, startHelp }, { helpStyle }] = await Promise.all([
    import('./cli/help/help.ts'),
    import('./cli/help/layout.ts'),
  ])
  const style = helpStyle(host.stdout.columns, colored(host.stdout.isTerminal, values, host))
  return line.words.length === 0 && !asksFor(line, 'help') ? startHelp(tree, style) : helpOn(line.words, tree, style)
}
