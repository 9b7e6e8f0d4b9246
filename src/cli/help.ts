/** The text of `--help` at each level, from the same declarations that are parsed. */
import { type Setting, settingRows } from '../profiles/settings.ts'
import type { Command } from './command.ts'
import { type ArgumentSpec, type OptionSpec, optionName } from './options.ts'
import type { Group, Tree } from './tree.ts'

/** A heading and its lines, each a term and what it means. */
interface Section {
  readonly title: string
  readonly rows: readonly (readonly [string, string])[]
}

/** `analytics --help`. */
export async function rootHelp(tree: Tree, width: number): Promise<string> {
  const rows = await Promise.all(
    Object.entries(tree).map(
      async ([word, node]): Promise<[string, string]> => [
        word,
        typeof node === 'function' ? (await node()).summary : node.summary,
      ],
    ),
  )
  return page(width, [
    'Administer an analytics service: persons, plugins, event definitions, projects',
    usageLine('<group> <command> [options]'),
    examples(['--sandbox persons list --search ada', 'persons get 42 -o json', 'help exit-codes']),
    { title: 'Commands', rows },
    settingSection('Options everywhere', () => true),
    'See analytics <group> --help for its commands, and analytics <group> <command> --help for one of them.',
  ])
}

/** `analytics persons --help`. */
export async function groupHelp(word: string, group: Group, width: number): Promise<string> {
  const rows = await Promise.all(
    Object.entries(group.commands).map(async ([verb, load]): Promise<[string, string]> => {
      const command = await load()
      return [[verb, ...Object.values(command.args).map(argumentLabel)].join(' '), command.summary]
    }),
  )
  return page(width, [
    group.summary,
    usageLine(`${word} <command> [options]`),
    { title: 'Commands', rows },
    `See analytics ${word} <command> --help for options and examples.`,
  ])
}

/** `analytics persons list --help`. */
export function commandHelp(words: readonly string[], command: Command, width: number): string {
  const { args, options, summary, details, calls, examples: lines } = command
  const path = words.join(' ')
  return page(width, [
    summary,
    details,
    usageLine([path, ...Object.values(args).map(argumentLabel), '[options]'].join(' ')),
    examples(lines),
    { title: 'Arguments', rows: Object.values(args).map(spec => [argumentLabel(spec), spec.summary]) },
    { title: 'Options', rows: Object.entries(options).map(([name, spec]) => optionRow(name, spec)) },
    settingSection('Output', row => row.group === 'output'),
    settingSection('Everywhere', row => row.group !== 'output'),
    { title: 'Calls', rows: calls.map(row => [row.method, row.path]) },
    { title: 'More', rows: [['analytics help exit-codes', 'what each exit code means']] },
  ])
}

function usageLine(text: string): string {
  return `Usage: analytics ${text}`
}

function examples(lines: readonly string[]): Section {
  return { title: 'Examples', rows: lines.map(line => [`$ analytics ${line}`, '']) }
}

function argumentLabel(spec: ArgumentSpec): string {
  if (spec.form === 'required') return spec.value
  return spec.form === 'many' ? `[${spec.value}...]` : `[${spec.value}]`
}

function optionRow(name: string, spec: OptionSpec): [string, string] {
  const long = optionName(name)
  if (spec.form === 'toggle') return [`${long}, --no-${long.slice(2)}`, spec.summary]
  const repeatable = spec.form === 'repeated' ? ' (repeatable)' : ''
  return [`${spec.short ? `${spec.short}, ` : ''}${long} ${spec.value}`.trimEnd(), spec.summary + repeatable]
}

function settingSection(title: string, shown: (row: Setting) => boolean): Section {
  const rows = settingRows.flatMap(([, row]): [string, string][] =>
    row.option && shown(row) ? [[label(row), row.summary]] : [],
  )
  return {
    title,
    rows: title === 'Output' ? rows : [...rows, ['-h, --help', 'this text'], ['-V, --version', 'the version']],
  }
}

function label(row: Setting): string {
  return `${row.short ? `${row.short}, ` : ''}${row.option} ${row.value ?? ''}`.trimEnd()
}

function page(width: number, parts: readonly (string | Section | undefined)[]): string {
  const blocks = parts.flatMap(part => {
    if (part === undefined) return []
    if (typeof part === 'string') return [wrap(part, width).join('\n')]
    return part.rows.length === 0 ? [] : [section(part, width)]
  })
  return `${blocks.join('\n\n')}\n`
}

/** Terms in one column and meanings in another; a term too long for its column stands on a line of its own. */
function section({ title, rows }: Section, width: number): string {
  const column = Math.min(30, Math.max(...rows.map(([term]) => term.length)) + 4)
  const lines = rows.flatMap(([term, meaning]) => {
    if (meaning === '') return [`  ${term}`]
    const [first = '', ...more] = wrap(meaning, Math.max(20, width - column))
    const rest = more.map(line => ' '.repeat(column) + line)
    return term.length + 4 > column
      ? [`  ${term}`, ' '.repeat(column) + first, ...rest]
      : [`  ${term}`.padEnd(column) + first, ...rest]
  })
  return [`${title}:`, ...lines].join('\n')
}

function wrap(text: string, width: number): string[] {
  const lines: string[] = []
  for (const word of text.split(/\s+/)) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + 1 + word.length <= width) lines[lines.length - 1] = `${last} ${word}`
    else lines.push(word)
  }
  return lines
}
