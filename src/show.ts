import type { Config } from './config/current.ts'
import type { Values } from './config/settings.ts'
import { UsageError } from './errors.ts'
import { type Host, isCi } from './host.ts'
import { colored } from './messages/colored.ts'
import type { Messages } from './messages/messages.ts'
import type { RenderOptions } from './output/document.ts'
import { rendererOf } from './output/renderers/render.ts'
import type { Data, Result } from './result.ts'
import { cut } from './text/cells.ts'
import { escapeControls, escapeControlsInJson } from './text/escape-controls.ts'
import { countOf } from './text/grouped.ts'
import { escapeRunnerCommands } from './text/runner-commands.ts'
import type { Format } from './values/formats.ts'

/** Created before the command runs, so that a wrong field is refused before any request. */
interface Printer {
  show(result: Pick<Result, 'kind' | 'data'>): Promise<void>
}

export function preparePrinter({ values, typed }: Config, host: Host, messages: Messages): Printer {
  const fields = values.fields === undefined ? undefined : fieldsOf(values.fields)
  const onLateColumns = (names: readonly string[]) =>
    messages.warn(
      `Columns that first came on a later page are left out: ${names.map(name => cut(name, 60)).join(', ')}; name them in --fields`,
    )
  const hidden: string[] = []
  const options = {
    ...renderOptions(values, host),
    fields,
    onLateColumns,
    onHiddenColumns: (names: readonly string[]) => void hidden.push(...names),
  }
  const formatOf = (data: Data) =>
    (typed.output === undefined && 'document' in data ? data.format : undefined) ?? values.output ?? 'table'
  return {
    async show({ data }) {
      const format = formatOf(data)
      const { chunks, notes } = await chunksOf(data, format, options)
      const isText = format === 'table' || 'text' in data
      await write(options.ci && isText ? withoutCommands(chunks) : chunks, host.stdout)
      for (const text of notes?.() ?? []) messages.notice(text)
      if (hidden.length > 0) messages.notice(leftOut(hidden))
    },
  }
}

function leftOut(names: readonly string[]): string {
  const listed = names.map(name => cut(escapeControls(name), 40)).join(', ')
  return `${countOf(names.length, 'column', 'columns')} left out: ${listed} (choose with --fields)`
}

type Chunks = AsyncIterable<string | Uint8Array>

interface PrintOptions {
  readonly chunks: Chunks
  readonly notes?: () => readonly string[]
}

async function chunksOf(data: Data, format: Format, options: RenderOptions): Promise<PrintOptions> {
  if ('text' in data) return { chunks: one(typeof data.text === 'string' ? data.text : data.text(options)) }
  if ('bytes' in data) return { chunks: options.terminal ? withoutControls(data.bytes) : data.bytes }
  if (!options.fields && data.drawing?.format === format) return { chunks: one(data.drawing.draw(options)) }
  const render = await rendererOf(format, options.fields ? undefined : data.document.view.table)
  if (!options.fields) return { chunks: render(data.document, options) }
  const { watchFields } = await import('./output/unknown-fields.ts')
  const watched = watchFields(data.document, options.fields)
  return { chunks: render(watched.document, options), notes: watched.missing }
}

async function* one(text: string): Chunks {
  yield text
}

/** Control characters of a raw body must not reach a terminal. */
async function* withoutControls(bytes: AsyncIterable<Uint8Array>): Chunks {
  const decoder = new TextDecoder()
  for await (const chunk of bytes) yield escapeControlsInJson(decoder.decode(chunk, { stream: true }))
  yield escapeControlsInJson(decoder.decode())
}

/** Escapes lines that a CI runner would take for a command; each chunk holds whole lines. */
async function* withoutCommands(chunks: Chunks): Chunks {
  for await (const chunk of chunks) yield typeof chunk === 'string' ? escapeRunnerCommands(chunk) : chunk
}

async function write(chunks: Chunks, output: Pick<Host['stdout'], 'write'>): Promise<void> {
  for await (const chunk of chunks) {
    const written = output.write(chunk)
    // Awaiting a finished write would cost a turn of the event loop.
    if (written) await written
  }
}

function renderOptions(values: Values, host: Host): RenderOptions {
  return {
    header: !values.noHeader,
    reveal: values.reveal ?? false,
    escapeFormulas: values.escapeFormulas ?? false,
    bom: values.bom,
    color: colored(host.stdout.isTerminal, values, host),
    width: host.stdout.isTerminal ? host.stdout.columns : undefined,
    terminal: host.stdout.isTerminal,
    ci: isCi(host.env),
  }
}

function fieldsOf(text: string): readonly string[] {
  const fields = text.split(',').map(field => field.trim())
  if (fields.includes(''))
    throw new UsageError('--fields holds an empty name', { hint: 'Name them like id,properties.email' })
  return [...new Set(fields)]
}
