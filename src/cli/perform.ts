/** Runs a command and prints its result. */
import type { Config } from '../config/current.ts'
import type { Format } from '../config/settings.ts'
import type { connect } from '../connection/connect.ts'
import { type Context, noData, type Result } from '../context.ts'
import { ReaderGone, UnavailableError, UsageError } from '../errors.ts'
import { stateFolder } from '../files/platform.ts'
import { diskFull } from '../files/system-error.ts'
import type { Request } from '../http/message.ts'
import { batchesOf } from '../jobs/run-parallel.ts'
import { nearestPath, pathsIn } from '../json/nearest-path.ts'
import { type Item, readItem } from '../json/read-item.ts'
import { colored, drawLine } from '../messages/messages.ts'
import { createStatusLine } from '../messages/progress.ts'
import { type PrintOptions, rendererOf } from '../output/renderer.ts'
import { rowOf } from '../output/rows.ts'
import { type Document, mapRows, rowView } from '../output/views.ts'
import { escapeControlsInJson } from '../text/escape-controls.ts'
import { countOf } from '../text/grouped.ts'

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

/** Throws `UsageError` for invalid fields, before any request. */
function createPrinter({ host, config, values, messages, secrets, progress }: Context) {
  const { stdout } = host
  const notes: string[] = []
  const options: PrintOptions = {
    ...values,
    fields: values.fields === undefined ? undefined : chosenFields(values.fields),
    color: colored(stdout.isTerminal, values, host),
    width: stdout.isTerminal ? stdout.columns : undefined,
    isTerminal: stdout.isTerminal,
    note: text => notes.push(text),
  }
  const formatOf = ({ format }: Result) =>
    (config.options.output === undefined ? format : undefined) ?? values.output ?? 'table'
  return {
    formatOf,
    async show(result: Result): Promise<void> {
      const { data } = result
      const count = (batch: readonly Item[]) => {
        progress.count(batch.length)
        return batch
      }
      const counted = 'rows' in data && !data.isOne ? { ...result, data: mapRows(data, count) } : result
      for await (const chunk of await printedChunks(counted, formatOf(result), options, secrets.hide)) {
        const written = stdout.write(chunk)
        // Awaiting a finished write would cost a turn of the event loop.
        if (written) await written
      }
      for (const note of notes) messages.notice(note)
    },
  }
}

type Chunks = AsyncIterable<string | Uint8Array> | Iterable<string | Uint8Array>

async function printedChunks(
  { data, draw }: Result,
  format: Format,
  options: PrintOptions,
  hide: (text: string) => string,
): Promise<Chunks> {
  if (draw && format === 'table' && !options.fields)
    return draw().map(line => drawLine(line, { ...options, layOut: hide }))
  if ('text' in data) return typeof data.text === 'string' ? [data.text] : data.text
  // Control characters of a raw body must not reach a terminal.
  if ('bytes' in data) return [options.isTerminal ? escapeControlsInJson(data.bytes.toString()) : data.bytes]
  const render = await rendererOf(format)
  const document = format === 'table' || format === 'ids' ? unfolded(data, options.fields) : data
  if (!options.fields || format === 'ids') return render(document, options)
  return render(noteUnknownFields(document, options.fields, options.note), options)
}

function unfolded(document: Document, fields: readonly string[] | undefined): Document {
  const { unfold } = document.view
  if (!unfold || document.isOne) return document
  return mapRows(document, batch => batch.flatMap(row => unfold(row, fields)))
}

function noteUnknownFields(document: Document, fields: readonly string[], note: (text: string) => void): Document {
  const subject = document.isOne ? 'The record' : 'The first page'
  let isFirst = true
  return mapRows(document, batch => {
    if (!isFirst || batch.length === 0) return batch
    isFirst = false
    const rows = batch.map(rowOf)
    for (const field of fields.filter(name => rows.every(({ at }) => !at(name)))) {
      const near = nearestPath(field, [...new Set(batch.flatMap(({ value }) => pathsIn(value)))])
      note(`${subject} has no field ${field}${near === undefined ? '' : `; did you mean ${near}?`}`)
    }
    return batch
  })
}

function chosenFields(text: string): readonly string[] {
  const fields = text.split(',').map(field => field.trim())
  if (fields.includes('')) {
    throw new UsageError('--fields has an empty name', { hint: 'Write them like id,properties.email' })
  }
  return [...new Set(fields)]
}
