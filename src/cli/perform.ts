/** Runs one command: gives it what it may touch, prints what it returns, and ends as the command and its output ended. */

import type { Config } from '../config/current.ts'
import { stateFolder } from '../config/folders.ts'
import type { Opened } from '../connection/connect.ts'
import type { Context } from '../context.ts'
import { ReaderGone, UnavailableError, UsageError } from '../errors.ts'
import { diskFull } from '../files/system-error.ts'
import type { Request } from '../http/message.ts'
import { batchesOf } from '../jobs/run-parallel.ts'
import { type Item, readItem } from '../json/read-item.ts'
import { createStatusLine } from '../messages/progress.ts'
import { rowView } from '../output/views.ts'
import { noData, type Result } from '../result.ts'
import { countOf } from '../text/grouped.ts'
import type { Command } from './command.ts'
import type { parsedCommand } from './program.ts'
import { createPrinter, type Printer } from './show.ts'

type Given = Pick<Context, 'host' | 'config' | 'messages' | 'secrets'>

type Connections = ReadonlyMap<Config, Promise<Opened>>

export async function perform(command: Command, parsed: ReturnType<typeof parsedCommand>, given: Given): Promise<void> {
  const { host, config, messages, secrets } = given
  const progress = createStatusLine(host, config.values.quiet ?? false)
  const printer = createPrinter(given, progress)
  const writes: string[] = []
  const dryRun = config.values.dryRun ? (request: Request) => void writes.push(writeRow(request)) : undefined
  const opened = new Map<Config, Promise<Opened>>()
  const open = (by: Config) => {
    const connection =
      opened.get(by) ??
      import('../connection/connect.ts').then(({ connect }) =>
        connect({ host, config: by, messages, secrets, dryRun, wait: progress.wait }),
      )
    opened.set(by, connection)
    return connection
  }
  const context: Context = {
    ...given,
    values: config.values,
    progress,
    stateFolder: () => stateFolder(host),
    connect: () => open(config),
    connectAs: open,
  }
  try {
    const result = await command.run(parsed.args, parsed.options, context)
    if (dryRun) {
      const sends = `${countOf(writes.length, 'request', 'requests')} would be sent, `
      // A preview has said how many of what.
      messages.notice(`Dry run: ${writes.length === 0 || result.draw ? '' : sends}nothing was changed`)
    }
    if (dryRun && (writes.length > 0 || result.data === noData)) {
      await printer.show(
        isPreviewShown(result, printer)
          ? result
          : { data: { rows: itemsIn(writes), isOne: false, view: rowView(['method', 'url', 'body'], 'url') } },
      )
    } else await finish(result, printer, opened)
  } catch (error) {
    throw await afterWrite(error, opened)
  } finally {
    progress.end()
    for (const one of opened.values()) await (await one.catch(() => undefined))?.close()
  }
}

/** A write of a dry run. Its body keeps its text. */
function writeRow({ method, url, body }: Request): string {
  return `{"method":${JSON.stringify(method)},"url":${JSON.stringify(url.href)},"body":${body ?? 'null'}}`
}

function* itemsIn(rows: readonly string[]): Generator<readonly Item[]> {
  for (const batch of batchesOf(rows, 100)) yield batch.map(row => readItem(Buffer.from(row)))
}

/** After a write, its receipt and failures count even if the reader closed stdout. */
async function finish(result: Result, { show }: Printer, opened: Connections): Promise<void> {
  const unshown = await show(result).then(
    () => undefined,
    (error: unknown) => ({ error }),
  )
  if (unshown && !(await hasWritten(opened))) throw unshown.error
  await result.end?.()
  if (unshown && !(unshown.error instanceof ReaderGone)) throw unshown.error
}

/** A dry run prints the preview as a table and the targets as ids, else the writes. */
function isPreviewShown(result: Result, { formatOf }: Printer): boolean {
  const format = formatOf(result)
  return format === 'ids' || (format === 'table' && result.draw !== undefined)
}

/** `UsageError` says that nothing was sent, and a full disk may be tried again; after a write both are wrong. */
async function afterWrite(error: unknown, opened: Connections): Promise<unknown> {
  const isOfFile = error instanceof UsageError || (error instanceof UnavailableError && error.details.code === diskFull)
  if (!isOfFile || !(await hasWritten(opened))) return error
  // Repeating a create would make a second object.
  return new UnavailableError(`${error.message}; sent requests are not undone`, { ...error.details, retryable: false })
}

async function hasWritten(opened: Connections): Promise<boolean> {
  const connections = await Promise.all([...opened.values()].map(one => one.catch(() => undefined)))
  return connections.some(one => one?.hasWritten())
}
