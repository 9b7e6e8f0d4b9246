import type { Setting } from '../../profiles/settings.ts'
import { fillLines } from '../../text/cells.ts'
import { splitExample } from '../command.ts'
import { type OptionSpec, optionName } from '../options.ts'

export interface Section {
  readonly title: string
  readonly rows: readonly (readonly [string, string])[]
}

export type Part = string | Section | undefined

/** Lines are not broken at this space. */
const noBreak = '\u00a0'

export interface HelpStyle {
  readonly width: number
  readonly bold: boolean
}

/** `columns`: terminal width; in a pipe, help is 100 columns wide. */
export function helpStyle(columns: number | undefined, bold: boolean): HelpStyle {
  return { width: Math.max(60, Math.min(columns ?? 100, 200)), bold }
}

export function helpPage(style: HelpStyle, parts: readonly Part[]): string {
  const blocks = parts.flatMap(part => {
    if (part === undefined) return []
    if (typeof part === 'string') return part.split('\n\n').map(text => wrap(text, style.width).join('\n'))
    return part.rows.length === 0 ? [] : [section(part, style)]
  })
  return `${blocks.join('\n\n').replaceAll(noBreak, ' ')}\n`
}

/** Puts each command line below its caption; a long line continues after a backslash. */
export function examples(lines: readonly string[], { width }: HelpStyle): Section {
  const rows = lines.flatMap(line => exampleLines(`$ analytics ${line}`, width - 2))
  return { title: 'Examples', rows: rows.map(row => [row, '']) }
}

export function exampleLines(example: string, width: number): readonly string[] {
  const { line, caption } = splitExample(example)
  return [...(caption ? [`# ${caption}`] : []), breakLine(line, width)]
}

function breakLine(line: string, width: number): string {
  const lines: string[] = []
  for (const piece of line.split(/ (?=-{1,2}[a-z])/)) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + 1 + piece.length <= width - 2) lines[lines.length - 1] = `${last} ${piece}`
    else lines.push(lines.length === 0 ? piece : `      ${piece}`)
  }
  return lines.join(' \\\n')
}

function section({ title, rows }: Section, { width, bold }: HelpStyle): string {
  const most = width < 80 ? 26 : 36
  const column = Math.min(most, Math.max(...rows.map(([term]) => term.length)) + 4)
  const lines = rows.flatMap(([term, meaning]) => {
    if (meaning === '') return [`  ${term}`]
    const [first = '', ...more] = wrap(meaning, width - column)
    const rest = more.map(line => ' '.repeat(column) + line)
    return term.length + 4 > column
      ? [`  ${term}`, ' '.repeat(column) + first, ...rest]
      : [`  ${term}`.padEnd(column) + first, ...rest]
  })
  return [bold ? `\u001b[1m${title}:\u001b[22m` : `${title}:`, ...lines].join('\n')
}

export function wrap(text: string, width: number): string[] {
  return fillLines(text.split(/[ \n]+/), width)
}

export function lines(terms: readonly string[], { width }: HelpStyle): Section['rows'] {
  return wrap(commaSeparated(terms), width - 2).map(line => [line, ''])
}

export function commaSeparated(terms: readonly string[]): string {
  return terms.map(term => term.replaceAll(' ', noBreak)).join(', ')
}

export function optionRow([name, spec]: readonly [string, OptionSpec]): readonly [string, string] {
  const { form, short, value, summary } = spec
  const long = optionName(name)
  if (form === 'toggle') return [`--[no-]${long.slice(2)}`, summary]
  const repeatable = form === 'repeated' ? ' (repeatable)' : ''
  return [`${short ? `${short}, ` : ''}${long} ${value}`.trimEnd(), summary + repeatable]
}

export function settingLabel({ short, option, value }: Setting): string {
  return `${short ? `${short}, ` : ''}${option} ${value ?? ''}`.trimEnd()
}
