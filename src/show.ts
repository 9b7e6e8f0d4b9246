import { resolve } from 'node:path'
import type { Config } from './config/current.ts'
import { settings, type Values } from './config/settings.ts'
import { type Failure, UsageError } from './errors.ts'
import type { Sink } from './files/output-file.ts'
import { type Host, isCi } from './host.ts'
import { colored } from './messages/colored.ts'
import type { Messages } from './messages/messages.ts'
import type { Document, RenderOptions } from './output/document.ts'
import { rendererOf } from './output/renderers/render.ts'
import type { Data, Result } from './result.ts'
import { cut } from './text/cells.ts'
import { escapeControls, escapeControlsInJson } from './text/escape-controls.ts'
import { countOf } from './text/grouped.ts'
import { escapeRunnerCommands } from './text/runner-commands.ts'
import type { Format } from './values/formats.ts'

/** Created before the command runs, so that a wrong query, field or file is refused before any request. */
interface Printer {
  show(result: Pick<Result, 'kind' | 'data'>): Promise<void>
  discard(): Promise<void>
}

export async function preparePrinter({ values, typed }: Config, host: Host, messages: Messages): Promise<Printer> {
  const query = values.query === undefined ? undefined : await prepareQuery(values.query, values.output === 'ids')
  const fields = values.fields === undefined ? undefined : fieldsOf(values.fields)
  // Opened before any request, so that no answer is lost; opened last, because it must be closed.
  const file = values.outputFile === undefined ? undefined : await open(resolve(host.cwd, values.outputFile), host)
  const onLateColumns = (names: readonly string[]) =>
    messages.warn(
      `Columns that first came on a later page are left out: ${names.map(name => cut(name, 60)).join(', ')}; name them in --fields`,
    )
  const hidden: string[] = []
  const options = {
    ...renderOptions(values, host, file),
    fields,
    onLateColumns,
    onHiddenColumns: (names: readonly string[]) => void hidden.push(...names),
  }
  const formatOf = (data: Data) =>
    (typed.output === undefined && 'document' in data ? data.format : undefined) ?? values.output ?? 'table'
  return {
    async show({ kind, data }) {
      const format = formatOf(data)
      const masks = format === 'table' && !options.reveal
      const warn = kind === 'write' ? (failure: Failure) => messages.fault(failure.message) : undefined
      const asked = query && ((document: Document) => query(document, { masks, warn }))
      const { chunks, notes } = await chunksOf(data, format, options, asked)
      if (kind === 'private') await file?.restrict()
      const isText = format === 'table' || 'text' in data
      await write(options.ci && isText ? withoutCommands(chunks) : chunks, file ?? host.stdout)
      await file?.commit()
      if (file?.replaces) messages.notice(`Replaced ${values.outputFile}`)
      for (const text of notes?.() ?? []) messages.notice(text)
      if ('document' in data) for (const text of withoutEffect(typed, format)) messages.notice(text)
      if (hidden.length > 0) messages.notice(leftOut(hidden))
    },
    discard: async () => file?.discard(),
  }
}

const formatOptions = {
  fields: ['table', 'json', 'ndjson', 'csv', 'tsv', 'yaml'],
  noHeader: ['table', 'csv', 'tsv'],
  escapeFormulas: ['csv', 'tsv'],
  flatten: ['csv', 'tsv'],
  bom: ['csv', 'tsv'],
} as const satisfies Partial<Record<keyof Values, readonly Format[]>>

function withoutEffect(typed: Config['typed'], format: Format): string[] {
  const names = Object.keys(formatOptions) as (keyof typeof formatOptions)[]
  return names
    .filter(name => typed[name] !== undefined && !formatOptions[name].some(known => known === format))
    .map(name => `${settings[name].option} does nothing in the format ${format}`)
}

function leftOut(names: readonly string[]): string {
  const listed = names.map(name => cut(escapeControls(name), 40)).join(', ')
  return `${countOf(names.length, 'column', 'columns')} left out: ${listed} (choose with --fields)`
}

async function open(path: string, host: Host): Promise<Sink> {
  const { openFile } = await import('./files/output-file.ts')
  return openFile(path, host)
}

async function prepareQuery(expression: string, asIds: boolean) {
  const { parseQuery } = await import('./output/query.ts')
  return parseQuery(expression, asIds)
}

type Chunks = AsyncIterable<string | Uint8Array>

type Query = (document: Document) => Promise<Document>

interface PrintOptions {
  readonly chunks: Chunks
  readonly notes?: () => readonly string[]
}

async function chunksOf(
  data: Data,
  format: Format,
  options: RenderOptions,
  query: Query | undefined,
): Promise<PrintOptions> {
  if ('text' in data) return { chunks: one(typeof data.text === 'string' ? data.text : data.text(options)) }
  if ('bytes' in data) return { chunks: options.terminal ? withoutControls(data.bytes) : data.bytes }
  const whole = !query && !options.fields
  if (whole && data.drawing?.format === format) return { chunks: one(data.drawing.draw(options)) }
  const render = await rendererOf(format, whole ? data.document.view.table : undefined)
  const document = query ? await query(data.document) : data.document
  if (!options.fields) return { chunks: render(document, options) }
  const { watchFields } = await import('./output/unknown-fields.ts')
  const watched = watchFields(document, options.fields)
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

function renderOptions(values: Values, host: Host, file: Sink | undefined): RenderOptions {
  return {
    header: !values.noHeader,
    reveal: values.reveal ?? false,
    escapeFormulas: values.escapeFormulas ?? false,
    flatten: values.flatten,
    bom: values.bom,
    color: !file && colored(host.stdout.isTerminal, values, host),
    width: !file && host.stdout.isTerminal ? host.stdout.columns : undefined,
    terminal: (file ?? host.stdout).isTerminal,
    ci: (!file || file.isStream) && isCi(host.env),
  }
}

function fieldsOf(text: string): readonly string[] {
  const fields = text.split(',').map(field => field.trim())
  if (fields.includes(''))
    throw new UsageError('--fields holds an empty name', { hint: 'Name them like id,properties.email' })
  return [...new Set(fields)]
}
