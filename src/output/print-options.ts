import type { Values } from '../config/settings.ts'
import { UsageError } from '../errors.ts'
import { escapeControls } from '../text/escape-controls.ts'

export interface PrintOptions extends Pick<Values, 'noHeader' | 'reveal' | 'escapeFormulas' | 'bom'> {
  /** Chosen fields, including dotted paths; undefined means those of the view. */
  readonly fields: readonly string[] | undefined
  readonly color: boolean
  /** Width of a table in cells; undefined means that nothing is cut. */
  readonly width: number | undefined
  /** For a person at a terminal: indents JSON and escapes control characters. */
  readonly terminal: boolean
  tell(text: string): void
}

export function chosenFields(text: string): readonly string[] {
  const fields = text.split(',').map(field => field.trim())
  if (fields.includes(''))
    throw new UsageError('--fields has an empty name', { hint: 'Write them like id,properties.email' })
  return [...new Set(fields)]
}

/** Rows may have as many names as there are rows. */
export const mostLeftOut = 20

export function tellLeftOut(names: readonly string[], { tell }: PrintOptions): void {
  if (names.length === 0) return
  const shown = names.slice(0, mostLeftOut).map(escapeControls)
  tell(`Columns left out: ${shown.join(', ')}${names.length > mostLeftOut ? ' and more' : ''} (choose with --fields)`)
}
