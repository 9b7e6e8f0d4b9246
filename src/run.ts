/** Runs a command line. Only this file catches all errors. */
import type { Command } from './cli/command.ts'
import { asksFor, type CommandLine, hasSetting, readCommandLine, typedText } from './cli/parsing/command-line.ts'
import { checkEnvelope, type ParsedCommand, parse } from './cli/parsing/parse.ts'
import { tree } from './commands/tree.ts'
import { type Host, isCi, type StatusRank } from './host.ts'
import { proxySecrets } from './http/transport/proxy.ts'
import { createMessages, type Messages } from './messages/messages.ts'
import { perform } from './perform.ts'
import { outputOfProfile, type Settings, settingsOf } from './profiles/current.ts'
import { settings as settingsTable, type Values } from './profiles/settings.ts'
import { reportFailure } from './report-failure.ts'
import { createSecrets, type Secrets } from './secrets/secrets.ts'
import { colored } from './show.ts'

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
    // Read only after an error, because reading a profile takes time.
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
    return await perform(command, parsed, { host, settings, messages, secrets })
  } catch (error) {
    return reportFailure(error, host, messagesNow())
  }
}

function hideSecrets(host: Host, secrets: Secrets): Host {
  const { stderr, stdin } = host
  const show = stderr.statusLine
  return {
    ...host,
    stdin: { ...stdin, ask: (question, hidden) => stdin.ask(secrets.hide(question), hidden) },
    stderr: {
      isTerminal: stderr.isTerminal,
      get columns() {
        return stderr.columns
      },
      write: chunk => stderr.write(typeof chunk === 'string' ? secrets.hide(chunk) : chunk),
      ...(show ? { statusLine: (line: string, rank?: StatusRank) => show(secrets.hide(line), rank) } : {}),
    },
  }
}

/** Output format of errors before the settings are known; an unreadable format counts as not given. */
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

function sayWhere({ words }: CommandLine, { values, ignored }: Settings, messages: Messages): void {
  if (!values.sandbox && words[0] !== 'sandbox') return
  messages.say('sandbox: made-up data on this machine')
  // Profile commands store the base URL, so it is not ignored.
  if (ignored.length > 0 && words[0] !== 'profiles') messages.say(`sandbox: ${ignored.join(', ')} ignored`)
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
