import type { Command } from './cli/command.ts'
import type { ParsedCommand } from './cli/program.ts'
import type { Config } from './config/current.ts'
import { stateFolder } from './config/folders.ts'
import type { Opened } from './connection/connect.ts'
import type { Context } from './context.ts'
import { DryRunWrites } from './dry-run.ts'
import { ReaderGone, UnavailableError, UsageError } from './errors.ts'
import { diskFull } from './files/system-error.ts'
import type { Request } from './http/message.ts'
import { showWaiting } from './messages/waiting.ts'
import { read } from './result.ts'
import { preparePrinter } from './show.ts'

type Given = Pick<Context, 'host' | 'config' | 'messages' | 'secrets'>

/** Returns the exit code. Errors of the command are thrown. */
export async function perform(command: Command, parsed: ParsedCommand, given: Given): Promise<number> {
  const { host, config, messages, secrets } = given
  const waiting = showWaiting(host, config.values.quiet ?? false)
  const { show } = preparePrinter(config, host, messages)
  const writes = new DryRunWrites()
  const dryRun = config.values.dryRun ? (request: Request) => writes.add(request) : undefined
  const opened = new Map<Config, Promise<Opened>>()
  const consent = { given: false }
  const open = (by: Config) => {
    const way =
      opened.get(by) ??
      import('./connection/connect.ts').then(({ connect }) =>
        connect({ host, config: by, messages, consent, secrets, dryRun, awaiting: waiting.awaiting }),
      )
    opened.set(by, way)
    return way
  }
  const context: Context = {
    ...given,
    values: config.values,
    consent,
    stateFolder: () => stateFolder(host),
    connect: () => open(config),
    connectAs: open,
  }
  try {
    // The parser checked these types.
    const result = await command.run(parsed.args, parsed.options, context)
    if (dryRun) messages.say('Dry run: nothing was changed')
    if (dryRun && (result.kind === 'write' || !writes.isEmpty)) {
      await show(read(writes.data()))
      return 0
    }
    const { data } = result
    const counted = 'document' in data ? { ...data, document: waiting.counted(data.document) } : data
    const unshown = await show({ ...result, data: counted }).then(
      () => undefined,
      (error: unknown) => ({ error }),
    )
    if (result.kind === 'failed') throw result.failure
    // After a write, its receipt and its failures count, whether anybody reads stdout or not.
    if (unshown && result.kind !== 'write' && !(await hasWritten(opened.values()))) throw unshown.error
    await result.conclude()
    if (unshown && !(unshown.error instanceof ReaderGone)) throw unshown.error
    return 0
  } catch (error) {
    throw await afterWrite(error, opened.values())
  } finally {
    waiting.end()
    for (const way of opened.values()) await (await way.catch(() => undefined))?.close()
  }
}

/** `UsageError` says that nothing was sent, and a full disk may be tried again; after a write both are wrong. */
async function afterWrite(error: unknown, opened: Iterable<Promise<Opened>>): Promise<unknown> {
  const isOfFile = error instanceof UsageError || (error instanceof UnavailableError && error.facts.code === diskFull)
  if (!isOfFile || !(await hasWritten(opened))) return error
  // Repeating a create would make a second object.
  return new UnavailableError(`${error.message}; sent requests are not undone`, { ...error.facts, retryable: false })
}

async function hasWritten(opened: Iterable<Promise<Opened>>): Promise<boolean> {
  const ways = await Promise.all([...opened].map(way => way.catch(() => undefined)))
  return ways.some(way => way?.hasWritten())
}
