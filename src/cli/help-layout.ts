/** Lays pages of help out by the Help of commander, whose column we keep narrow so that a small terminal has room. */
import type { Argument, Help, HelpConfiguration, Command as Parser } from 'commander'
import { exampleLines } from './command.ts'
import { type OptionSpec, optionLabel } from './options.ts'
import { newProgram } from './program.ts'

export interface Section {
  readonly title: string
  readonly rows: readonly (readonly [string, string])[]
}

export type Part = string | Section | undefined

/** A page of `help`. */
export interface Topic {
  readonly summary: string
  readonly parts: readonly Part[]
}

export interface HelpStyle {
  readonly width: number
  readonly bold: boolean
}

/** `columns`: terminal width; in a pipe, help is 100 columns wide. */
export function helpStyle(columns: number | undefined, bold: boolean): HelpStyle {
  return { width: Math.max(60, Math.min(columns ?? 100, 200)), bold }
}

/** Stands for a space at which lines are not broken. */
const noBreak = '\u0001'

export function helpPage(style: HelpStyle, parts: readonly Part[]): string {
  const help = Object.assign(newProgram().createHelp(), layout(style))
  const blocks = parts.flatMap(part => {
    if (part === undefined) return []
    if (typeof part === 'string') return part.split('\n\n').map(text => help.boxWrap(text, style.width))
    return part.rows.length === 0 ? [] : [section(part, help)]
  })
  return `${blocks.join('\n\n').replaceAll(noBreak, ' ')}\n`
}

/** What commander prints of the parser, and `below` it the rest of the page. */
export function commandPage(
  parser: Parser,
  style: HelpStyle,
  below: readonly Part[],
  terms: HelpConfiguration = {},
): string {
  let page = ''
  parser
    .configureHelp({ ...layout(style), ...terms })
    .configureOutput({
      writeOut: text => {
        page += text
      },
      getOutHelpWidth: () => style.width,
      getOutHasColors: () => style.bold,
    })
    .addHelpText('after', `\n${helpPage(style, below).trimEnd()}`)
    .outputHelp()
  return page
}

function layout({ width, bold }: HelpStyle): HelpConfiguration {
  const minWidthToWrap = 20
  const plain = Object.assign(newProgram().createHelp(), { helpWidth: width, minWidthToWrap })
  return {
    helpWidth: width,
    minWidthToWrap,
    styleTitle: title => (bold ? `\u001b[1m${title}\u001b[22m` : title),
    styleUsage: usage => plain.boxWrap(`Usage: ${usage}`, width).replace('Usage: ', ''),
    padWidth: (parser, help) => columnFor(plain.padWidth(parser, help), width),
    // A long term has a line of its own.
    formatItem: (term, column, meaning, help) =>
      term.length > column && meaning !== ''
        ? `  ${term}\n${plain.formatItem('', column, meaning, help)}`
        : plain.formatItem(term, column, meaning, help),
    argumentTerm,
    subcommandTerm: parser => [parser.name(), ...parser.registeredArguments.map(argumentTerm)].join(' '),
  }
}

function argumentTerm(argument: Argument): string {
  if (argument.required) return argument.name()
  return `[${argument.name()}${argument.variadic ? '...' : ''}]`
}

function columnFor(longest: number, width: number): number {
  return Math.min(longest, width < 80 ? 22 : 32)
}

function section({ title, rows }: Section, help: Help): string {
  const width = help.helpWidth ?? 80
  const column = columnFor(Math.max(...rows.map(([term]) => term.length)), width)
  const items = rows.map(([term, meaning]) =>
    term === '' ? help.boxWrap(meaning, width - 2).replace(/^/gm, '  ') : help.formatItem(term, column, meaning, help),
  )
  return help.formatItemList(`${title}:`, items, help).join('\n').trimEnd()
}

/** Each command line stands below its caption. */
export function examples(lines: readonly string[], { width }: HelpStyle): Section {
  const rows = lines.flatMap(line => exampleLines(`$ analytics ${line}`, width - 2))
  return { title: 'Examples', rows: rows.map(row => [row, '']) }
}

export function optionRow(row: readonly [string, OptionSpec]): readonly [string, string] {
  const [, { form, summary }] = row
  return [optionLabel(row), form === 'repeated' ? `${summary} (repeatable)` : summary]
}

export function commaSeparated(options: readonly (readonly [string, OptionSpec])[]): string {
  const terms = options.map(row => `${optionLabel(row)}${row[1].form === 'repeated' ? '...' : ''}`)
  return terms.map(term => term.replaceAll(' ', noBreak)).join(', ')
}
