import type { Values } from '../config/settings.ts'
import { UsageError } from '../errors.ts'
import type { Output } from '../host.ts'
import { escapeControls } from '../text/escape-controls.ts'
import { countOf } from '../text/grouped.ts'

export interface PrintOptions {
  /** Chosen fields, including dotted paths; undefined means those of the view. */
  readonly fields: readonly string[] | undefined
  readonly header: boolean
  readonly reveal: boolean
  readonly escapeFormulas: boolean
  /** Starts CSV with a byte order mark, which tells Excel that it is UTF-8. */
  readonly bom: boolean
  readonly color: boolean
  /** Width of a table in cells; undefined means that nothing is cut. */
  readonly width: number | undefined
  /** For a person at a terminal: indents JSON and escapes control characters. */
  readonly terminal: boolean
  tell(text: string): void
  onLeftOut(names: readonly string[], areMore?: boolean): void
}

interface Printed {
  readonly values: Values
  readonly stdout: Pick<Output, 'isTerminal' | 'columns'>
  readonly color: boolean
}

export function printOptionsOf(
  { values, stdout: { isTerminal, columns }, color }: Printed,
  tell: PrintOptions['tell'],
): PrintOptions {
  return {
    fields: values.fields === undefined ? undefined : fieldsOf(values.fields),
    header: !values.noHeader,
    reveal: values.reveal ?? false,
    escapeFormulas: values.escapeFormulas ?? false,
    bom: values.bom ?? false,
    color,
    width: isTerminal ? columns : undefined,
    terminal: isTerminal,
    tell,
    onLeftOut(names, areMore) {
      const shown = names.map(escapeControls).join(', ')
      tell(
        `${areMore ? 'More than ' : ''}${countOf(names.length, 'column', 'columns')} left out: ${shown} (choose with --fields)`,
      )
    },
  }
}

function fieldsOf(text: string): readonly string[] {
  const fields = text.split(',').map(field => field.trim())
  if (fields.includes(''))
    throw new UsageError('--fields has an empty name', { hint: 'Write them like id,properties.email' })
  return [...new Set(fields)]
}
