/** Runs a command line. Only this file catches all errors. */
import { type OptionSpecs, optionName } from './cli/command.ts'
import { perform } from './cli/perform.ts'
import { commandWords, readCommandLine } from './cli/program.ts'
import { isLocal, tree } from './commands/tree.ts'
import { type Config, configOf, outputInUse } from './config/current.ts'
import type { Values } from './config/settings.ts'
import {
  Failure,
  InterruptedError,
  ReaderGone,
  RejectedError,
  UnavailableError,
  UnexpectedError,
  UsageError,
} from './errors.ts'
import { realPath } from './files/regular-file.ts'
import { raiseFileLimit } from './files/system-error.ts'
import { absolutePath, type Host } from './host.ts'
import { proxySecrets } from './http/transport/proxy.ts'
import { Malformed } from './json/tokens.ts'
import { createMessages, type Messages } from './messages/messages.ts'
import { createSecrets, type Secrets } from './secrets/secrets.ts'

type CommandLine = Awaited<ReturnType<typeof readCommandLine>>

/** Returns the exit code. Never throws. */
export async function run(argv: readonly string[], realHost: Host): Promise<number> {
  const secrets = createSecrets()
  for (const secret of [realHost.env.ANALYTICS_API_KEY, ...proxySecrets(realHost.env)]) secrets.add(secret)
  const host = hideSecrets(realHost, secrets)
  if (argv[0] === '__complete') return complete(argv.slice(2), host)
  let currentMessages = () => createMessages({}, host, secrets.hide)
  try {
    const line = await readCommandLine(argv, tree)
    // Called only after an error, because reading a profile takes time.
    currentMessages = () =>
      createMessages({ ...line.settings, output: outputForErrors(line, argv, host) }, host, secrets.hide)
    const { requested, command, parser, problem } = line
    if (problem && !(requested.help && command)) throw problem
    if (requested.version) return await print(`analytics ${host.version}\n`, host)
    if (requested.help || !command) {
      const { helpOn } = await import('./cli/help.ts')
      return await print(await helpOn(commandWords(parser), tree), host)
    }
    const config = configOf(line.settings, host, !isLocal(commandWords(parser)))
    secrets.add(config.values.apiKey)
    const messages = createMessages(config.values, host, secrets.hide)
    currentMessages = () => messages
    printNotices(line, config, messages)
    refuseSameFile(host, command.options ?? {}, line.options)
    await perform(context => command.run(line.args, line.options, context), { host, config, messages, secrets })
    return 0
  } catch (error) {
    return reportFailure(error, host, currentMessages())
  }
}

/** `words`: after `analytics`, up to the cursor. Always returns 0; never writes to stderr. */
async function complete(words: readonly string[], host: Host): Promise<number> {
  try {
    const { candidatesFor } = await import('./cli/completion.ts')
    const candidates = await candidatesFor(words, tree, host)
    await host.stdout.write(candidates.map(line => `${line}\n`).join(''))
  } catch {
    // A shell would show an error inside the line that is being typed.
  }
  return 0
}

function hideSecrets(host: Host, secrets: Secrets): Host {
  const { stderr, stdin } = host
  return {
    ...host,
    stdin: { ...stdin, ask: (question, hidden) => stdin.ask(secrets.hide(question), hidden) },
    stderr: {
      isTerminal: stderr.isTerminal,
      get columns() {
        return stderr.columns
      },
      write: chunk => stderr.write(typeof chunk === 'string' ? secrets.hide(chunk) : chunk),
    },
  }
}

/** `-o json` after a mistake in the command line counts too. An invalid format does not. */
function outputForErrors({ settings }: CommandLine, argv: readonly string[], host: Host): Values['output'] {
  if (/(^|\0)(-[a-z]*o|--output)[=\0]?(nd)?json(\0|$)/.test(argv.join('\0'))) return 'json'
  return outputInUse(settings, host)
}

function printNotices(line: CommandLine, { values, ignored }: Config, messages: Messages): void {
  const [word] = commandWords(line.parser)
  // A shell that sources the script at its start must print nothing.
  if (word === 'completion') return
  if (values.sandbox || word === 'sandbox') messages.print('sandbox: made-up data on this machine')
  // Profile commands store the base URL, so it is not ignored.
  if (ignored !== undefined && word !== 'profiles') messages.notice(ignored)
}

/** Throws `UsageError` if two options name one file. */
function refuseSameFile(host: Pick<Host, 'cwd'>, specs: OptionSpecs, values: Readonly<Record<string, unknown>>): void {
  const namedBy = new Map<string, string>()
  for (const [name, { value: placeholder }] of Object.entries(specs)) {
    const option = optionName(name)
    for (const file of [values[name]].flat().flatMap(value => fileIn(placeholder, value) ?? [])) {
      const path = file === '-' ? file : realPath(absolutePath(host, file))
      const other = namedBy.get(path)
      if (other !== undefined && (other !== option || file === '-')) {
        const both = file === '-' ? 'both read stdin' : 'name the same file'
        const what = other === option ? `${option} reads stdin twice` : `${other} and ${option} ${both}`
        throw new UsageError(what, { hint: 'Use a different file for each' })
      }
      namedBy.set(path, option)
    }
  }
}

/** The value of `KEY=JSON` is a pair. */
function fileIn(placeholder: string, value: unknown): string | undefined {
  const text = String([value].flat().at(-1) ?? '')
  if (placeholder === 'FILE') return text || undefined
  return placeholder.endsWith('JSON') && /^(-$|@.)/.test(text) ? text.replace(/^@/, '') : undefined
}

async function print(text: string, host: Host): Promise<number> {
  await host.stdout.write(text)
  return 0
}

function reportFailure(error: unknown, host: Host, messages: Messages): number {
  if (error instanceof ReaderGone) return 0
  const { interrupted } = host
  const isSignal = interrupted.aborted && !(error instanceof InterruptedError)
  const failure = failureFor(isSignal ? interrupted.reason : error)
  messages.error(failure)
  return failure.exit
}

function failureFor(cause: unknown): Failure {
  if (cause instanceof Failure) return cause
  if (cause instanceof Malformed) {
    return new RejectedError(`Unexpected response: ${cause.reason}`, { hint: 'Check the base URL', cause })
  }
  // Every part of the program can reach the limit of open files.
  const hint = raiseFileLimit(cause)
  if (hint !== undefined) return new UnavailableError('Too many files are open', { hint, cause })
  const reason = cause instanceof Error ? cause.message : String(cause)
  return new UnexpectedError(`analytics failed unexpectedly: ${reason}`, {
    hint: 'Please report this, with the command that you ran',
    cause,
  })
}
