import type { Config } from '../config/current.ts'
import type { Format } from '../config/settings.ts'
import type { connect } from '../connection/connect.ts'
import { type Context, noData, type Result } from '../context.ts'
import { ReaderGone, UnavailableError, UsageError } from '../errors.ts'
import { stateFolder } from '../files/platform.ts'
import { diskFull } from '../files/system-error.ts'
import type { Request } from '../http/message.ts'
import { batchesOf } from '../jobs/run-parallel.ts'
import { type Item, readItem } from '../json/read-item.ts'
import { createStatusLine } from '../messages/progress.ts'
import { rowView } from '../output/views.ts'
import { countOf } from '../text/grouped.ts'
import { createPrinter } from './show.ts'

type Opened = Awaited<ReturnType<typeof connect>>

export async function perform(
  run: (context: Context) => Promise<Result>,
  base: Pick<Context, 'host' | 'config' | 'messages' | 'secrets'>,
): Promise<void> {
  const { host, config, messages, secrets } = base
  const progress = createStatusLine(host, config.values.quiet ?? false)
  const writes: string[] = []
  const dryRun = config.values.dryRun ? (request: Request) => void writes.push(writeRow(request)) : undefined
  const opened: Opened[] = []
  const hasWritten = () => opened.some(one => one.hasWritten())
  const connectAs = async (settings: Config) => {
    const { connect } = await import('../connection/connect.ts')
    const connection = await connect({ host, config: settings, messages, secrets, dryRun, wait: progress.wait })
    opened.push(connection)
    return connection
  }
  let connection: Promise<Opened> | undefined
  const context: Context = {
    ...base,
    values: config.values,
    progress,
    stateFolder: () => stateFolder(host),
    connect: () => (connection ??= connectAs(config)),
    connectAs,
  }
  const { formatOf, show } = createPrinter(context)
  try {
    const result = await run(context)
    if (dryRun) {
      const sends = `${countOf(writes.length, 'request')} would be sent, `
      // A preview shows the number.
      messages.notice(`Dry run: ${writes.length === 0 || result.draw ? '' : sends}nothing was changed`)
    }
    if (dryRun && (writes.length > 0 || result.data === noData)) {
      await show(
        isPreviewShown(result, formatOf(result))
          ? result
          : { data: { rows: writeItems(writes), isOne: false, view: rowView(['method', 'url', 'body'], 'url') } },
      )
    } else await finish(result, show, hasWritten)
  } catch (error) {
    throw hasWritten() ? afterWrite(error) : error
  } finally {
    progress.end()
    for (const one of opened) await one.close()
  }
}

/** Keeps the text of the body. */
function writeRow({ method, url, body }: Request): string {
  return `{"method":${JSON.stringify(method)},"url":${JSON.stringify(url.href)},"body":${body ?? 'null'}}`
}

function* writeItems(rows: readonly string[]): Generator<readonly Item[]> {
  for (const batch of batchesOf(rows, 100)) yield batch.map(row => readItem(Buffer.from(row)))
}

/** After a write, its receipt and failures count even if the reader closed stdout. */
async function finish(
  result: Result,
  show: (result: Result) => Promise<void>,
  hasWritten: () => boolean,
): Promise<void> {
  const unprinted = await show(result).then(
    () => undefined,
    (error: unknown) => ({ error }),
  )
  if (unprinted && !hasWritten()) throw unprinted.error
  await result.end?.()
  if (unprinted && !(unprinted.error instanceof ReaderGone)) throw unprinted.error
}

/** A dry run prints the preview as a table and the targets as ids, else the writes. */
function isPreviewShown({ draw }: Result, format: Format): boolean {
  return format === 'ids' || (format === 'table' && draw !== undefined)
}

/** A `UsageError` would say that nothing was sent, and a full disk that a retry is safe. After a write both are wrong. */
function afterWrite(error: unknown): unknown {
  const isFileError =
    error instanceof UsageError || (error instanceof UnavailableError && error.details.code === diskFull)
  if (!isFileError) return error
  // Repeating a create would make a second object.
  return new UnavailableError(`${error.message}; sent requests are not undone`, { ...error.details, retryable: false })
}
