/** The composition root: from what was typed to what is printed and the exit code. The only place that catches. */
import type { Bulk, Command, Context } from './cli/command.ts'
import { type Located, locate } from './cli/locate.ts'
import type { Load } from './cli/tree.ts'
import { tree } from './commands/tree.ts'
import type { Opened } from './connect.ts'
import { Failure, InterruptedError, ReaderGone, RejectedError, UnexpectedError } from './errors.ts'
import type { Host } from './host.ts'
import type { Request } from './http/message.ts'
import { Malformed } from './json/item.ts'
import { createMessages, type Messages } from './output/messages.ts'
import { Plan } from './plan.ts'
import { type Settings, settingsOf } from './profiles/current.ts'
import { stateFolder } from './profiles/folders.ts'
import { colored, prepareShow } from './show.ts'

/** Runs one command line in a world and returns its exit code. Never throws. */
export async function run(argv: readonly string[], host: Host): Promise<number> {
  if (argv[0] === '__complete') return (await import('./complete.ts')).complete(argv.slice(2), host)
  let messages = createMessages({ stderr: host.stderr, quiet: false, json: jsonTyped(argv, host), color: false })
  try {
    const located = locate(argv[0] === 'help' ? helpOn(argv.slice(1)) : argv, tree)
    if (located.version) return await print(`analytics ${host.version}\n`, host)
    if (located.help || !loadOf(located)) return await print(await helpText(located, host), host)
    const { settings, parsed, command } = await read(located, host)
    const { values } = settings
    messages = createMessages({
      stderr: host.stderr,
      quiet: values.quiet ?? false,
      json: isJson(values.output),
      color: colored(host.stderr.isTerminal, values, host),
    })
    sayWhere(located, settings, messages)
    return await perform(command, parsed, settings, host, messages)
  } catch (error) {
    return failed(error, host, messages)
  }
}

async function read(located: Located, host: Host) {
  const [command, { parse }] = await Promise.all([loadOf(located)?.() as Promise<Command>, import('./cli/parse.ts')])
  const parsed = parse(located.words, command, located.rest)
  return { command, parsed, settings: settingsOf(parsed.settings, host, command.calls.length > 0) }
}

/** The sandbox never pretends: every command that is run in it says so, and what it sets aside. */
function sayWhere({ words }: Located, { values, ignored }: Settings, messages: Messages): void {
  if (!values.sandbox && words[0] !== 'sandbox') return
  messages.say('sandbox: made-up data on this machine')
  // Those that tend profiles take a base URL to keep it.
  if (ignored.length > 0 && words[0] !== 'profiles') messages.say(`sandbox: ${ignored.join(', ')} ignored`)
}

async function perform(
  command: Command,
  parsed: Awaited<ReturnType<typeof read>>['parsed'],
  settings: Settings,
  host: Host,
  messages: Messages,
): Promise<number> {
  const { show, discard } = await prepareShow(settings, host, messages)
  const plan = new Plan()
  const dryRun = settings.values.dryRun ? (request: Request) => plan.add(request) : undefined
  const opened = new Map<Settings, Promise<Opened>>()
  const open = (by: Settings, bulk?: Bulk) => {
    const way =
      opened.get(by) ??
      import('./connect.ts').then(({ connect }) => connect({ host, settings: by, messages, dryRun, bulk }))
    opened.set(by, way)
    return way
  }
  const context: Context = {
    host,
    settings,
    values: settings.values,
    messages,
    stateFolder: () => stateFolder(host),
    connect: bulk => open(settings, bulk),
    connectAs: open,
  }
  try {
    // The parser gave each argument and option the type that its declaration promises to `run`.
    const result = await command.run(parsed.args, parsed.options, context)
    if (dryRun) messages.say('Dry run: nothing was changed')
    const planned = plan.result()
    if (planned) {
      await show(planned)
      return 0
    }
    const unshown = await show(result).then(
      () => undefined,
      (error: unknown) => ({ error }),
    )
    if (unshown && !result.persists) throw unshown.error
    await result.afterwards?.()
    if (unshown && !(unshown.error instanceof ReaderGone)) throw unshown.error
    return result.exit ?? 0
  } finally {
    await discard()
    for (const way of opened.values()) await (await way.catch(() => undefined))?.close()
  }
}

/** What ends a run, in words on stderr and as an exit code. */
function failed(error: unknown, host: Host, messages: Messages): number {
  if (error instanceof ReaderGone) return 0
  const interruption: unknown = host.interrupted.aborted ? host.interrupted.reason : undefined
  const cause = interruption instanceof InterruptedError ? interruption : error
  const failure = failureOf(cause)
  messages.error(failure)
  return failure.exit
}

function failureOf(cause: unknown): Failure {
  if (cause instanceof Failure) return cause
  // A renderer met a row that is not JSON inside.
  if (cause instanceof Malformed) {
    return new RejectedError(`Unexpected response: ${cause.reason}`, { hint: 'Check the base URL', cause })
  }
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

/** `help persons list` is `persons list --help`; a word that is none of the tree's is a topic, for the command `help`. */
function helpOn(words: readonly string[]): readonly string[] {
  const [first, second] = words
  if (first === undefined) return ['--help']
  if (first === 'help' && second === undefined) return ['help', '--help']
  return Object.hasOwn(tree, first) && first !== 'help' ? [...words, '--help'] : ['help', ...words]
}

function loadOf({ words: [group, command] }: Located): Load | undefined {
  const node = group === undefined ? undefined : tree[group]
  if (typeof node === 'function') return node
  return command === undefined ? undefined : node?.commands[command]
}

async function helpText(located: Located, host: Host): Promise<string> {
  const [{ commandHelp, groupHelp, rootHelp, startHelp }, { widthOf }] = await Promise.all([
    import('./cli/help.ts'),
    import('./cli/help-layout.ts'),
  ])
  const width = widthOf(host.stdout.columns)
  const [word] = located.words
  if (word === undefined && !located.help) return startHelp(tree, width)
  const load = loadOf(located)
  if (load) return commandHelp(located.words, await load(), width)
  const node = word === undefined ? undefined : tree[word]
  return word === undefined || node === undefined || typeof node === 'function'
    ? rootHelp(tree, width)
    : groupHelp(word, node, width)
}

/** Whether errors are wanted as JSON, as far as that can be told before anything is parsed. */
function jsonTyped(argv: readonly string[], host: Host): boolean {
  const typed = argv.flatMap((word, i) => {
    if (word === '-o' || word === '--output') return [argv[i + 1]]
    return /^(?:-o=?|--output=)(.+)$/.exec(word)?.slice(1) ?? []
  })
  return isJson(typed.at(-1) ?? host.env.ANALYTICS_OUTPUT)
}

function isJson(format: string | undefined): boolean {
  return format === 'json' || format === 'ndjson'
}
