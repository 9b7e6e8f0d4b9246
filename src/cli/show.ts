import type { Format } from '../config/settings.ts'
import type { Context, Result } from '../context.ts'
import { UsageError } from '../errors.ts'
import { nearestPath, pathsIn } from '../json/nearest-path.ts'
import { colored, drawLine } from '../messages/messages.ts'
import type { StatusLine } from '../messages/progress.ts'
import { type PrintOptions, rendererOf, rowOf } from '../output/renderer.ts'
import { type Document, mapRows } from '../output/views.ts'
import { escapeControlsInJson } from '../text/escape-controls.ts'

/** Throws `UsageError` for invalid fields, before any request. */
export function createPrinter({ host, config, values, messages, secrets, progress }: Context) {
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
      const counted = 'rows' in data && !data.isOne ? { ...result, data: countRows(data, progress) } : result
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

function countRows(document: Document, progress: StatusLine): Document {
  return mapRows(document, batch => {
    progress.count(batch.length)
    return batch
  })
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
