import type { Config } from './config/current.ts'
import { UsageError } from './errors.ts'
import type { Host } from './host.ts'
import { colored } from './messages/colored.ts'
import type { Messages } from './messages/messages.ts'
import { type Look, rendererOf } from './output/renderer.ts'
import type { Result } from './result.ts'
import { escapeControls, escapeControlsInJson } from './text/escape-controls.ts'
import { countOf } from './text/grouped.ts'
import type { Format } from './values/formats.ts'

/** Throws `UsageError` now, before any request, for wrong fields. */
export function createPrinter({ values, typed }: Config, host: Host, messages: Messages) {
  const { stdout } = host
  const look: Look = {
    fields: values.fields === undefined ? undefined : fieldsOf(values.fields),
    header: !values.noHeader,
    reveal: values.reveal ?? false,
    escapeFormulas: values.escapeFormulas ?? false,
    bom: values.bom ?? false,
    color: colored(stdout.isTerminal, values, host),
    width: stdout.isTerminal ? stdout.columns : undefined,
    terminal: stdout.isTerminal,
    onLeftOut(names) {
      const shown = names.map(escapeControls).join(', ')
      messages.notice(`${countOf(names.length, 'column', 'columns')} left out: ${shown} (choose with --fields)`)
    },
  }
  const formatOf = ({ format }: Result) => (typed.output === undefined ? format : undefined) ?? values.output ?? 'table'
  return {
    formatOf,
    async show(result: Result): Promise<void> {
      for await (const chunk of await chunksOf(result, formatOf(result), look, messages)) {
        const written = stdout.write(chunk)
        // Awaiting a finished write would cost a turn of the event loop.
        if (written) await written
      }
    },
  }
}

type Chunks = AsyncIterable<string | Uint8Array> | Iterable<string | Uint8Array>

async function chunksOf({ data, draw }: Result, format: Format, look: Look, messages: Messages): Promise<Chunks> {
  if (draw && format === 'table' && !look.fields) return [draw(look)]
  if ('text' in data) return [data.text]
  if ('bytes' in data) return look.terminal ? withoutControls(data.bytes) : data.bytes
  const render = await rendererOf(format)
  if (!look.fields || format === 'ids') return render(data, look)
  const { tellUnknownFields } = await import('./output/unknown-fields.ts')
  return render(tellUnknownFields(data, look.fields, messages.notice), look)
}

/** Control characters of a raw body must not reach a terminal. */
async function* withoutControls(bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Chunks {
  const decoder = new TextDecoder()
  for await (const chunk of bytes) yield escapeControlsInJson(decoder.decode(chunk, { stream: true }))
  yield escapeControlsInJson(decoder.decode())
}

function fieldsOf(text: string): readonly string[] {
  const fields = text.split(',').map(field => field.trim())
  if (fields.includes(''))
    throw new UsageError('--fields holds an empty name', { hint: 'Name them like id,properties.email' })
  return [...new Set(fields)]
}
