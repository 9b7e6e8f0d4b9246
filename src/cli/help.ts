import type { HelpConfiguration, Option, Command as Parser } from 'commander'
import type { Tree } from './command.ts'
import { commandWords, createHelp, declareBelow, readCommandLine } from './program.ts'

const width = 80
const widestTerm = 28

const programSummary = 'Administer an analytics service: persons, plugins, event definitions, projects.'

const programExamples = [
  '--sandbox persons list # Try it on made-up data, without an account',
  'profiles add prod # Save the base URL, key and project of your service',
  'doctor # Check the connection, the key and the project',
]

export const topicNames = ['options', 'targets', 'filters', 'exit-codes', 'environment', 'agents'] as const

export async function helpOn(words: readonly string[], tree: Tree): Promise<string> {
  const { parser, command, below, problem } = await readCommandLine(words, tree)
  if (problem && !command) throw problem
  await declareBelow(parser, below)
  if (!command) parser.usage(parser.parent ? '<command> [options]' : '<group> <command> [options]')
  const summary = parser.parent ? `${parser.summary()}.` : programSummary
  const { details, examples = parser.parent ? [] : programExamples } = command ?? {}
  const description = details ? `${summary} ${details}` : summary
  parser
    .configureHelp(layout)
    .description([description, ...(examples.length > 0 ? [examplesIn(examples)] : [])].join('\n\n'))
  return `${parser.helpInformation()}\n${footer(parser, Object.keys(command?.options ?? {}))}\n`
}

const plain = Object.assign(createHelp(), { helpWidth: width })

const layout: HelpConfiguration = {
  helpWidth: width,
  visibleOptions: command => (command.parent ? joinFields(plain.visibleOptions(command)) : []),
  subcommandTerm: command => `${command.name()} ${command.usage().replace(/ ?\[options\]$/, '')}`.trimEnd(),
  optionDescription: ({ description }) => description,
  padWidth: (command, help) => Math.min(plain.padWidth(command, help), widestTerm),
  formatItem,
}

/** Joins fields with the same description: `--app-urls, --recording-domains <TEXT>`. */
function joinFields(options: readonly Option[]): Option[] {
  const groups = new Map<string, Option[]>()
  for (const option of options) {
    const { flags, description, helpGroupHeading } = option
    const key = helpGroupHeading === 'Fields:' ? `${description} ${flags.replace(/^\S+/, '')}` : flags
    groups.set(key, [...(groups.get(key) ?? []), option])
  }
  return [...groups.values()].flatMap(([option, ...others]) => {
    if (!option) return []
    const [, name = '', value = ''] = /^(\S+)(.*)$/.exec(option.flags) ?? []
    const names = [name, ...others.map(({ flags }) => flags.replace(/ .*/, ''))]
    return [Object.assign(Object.create(option), { flags: names.join(', ') + value })]
  })
}

function formatItem(term: string, column: number, meaning: string): string {
  if (term.length <= column || meaning === '') return plain.formatItem(term, column, meaning, plain)
  const line = `  ${term}  ${meaning}`
  const lines = plain.boxWrap(term, width - 2).replace(/^/gm, '  ')
  return line.length <= width ? line : `${lines}\n${plain.formatItem('', column, meaning, plain)}`
}

export function section(title: string, rows: readonly (readonly [term: string, meaning: string])[]): string {
  const column = Math.min(Math.max(...rows.map(([term]) => term.length)), widestTerm)
  return [`${title}:`, ...rows.map(([term, meaning]) => formatItem(term, column, meaning))].join('\n')
}

export function paragraph(text: string): string {
  return plain.boxWrap(text, width)
}

export function examplesIn(examples: readonly string[]): string {
  const lines = examples.flatMap(example => {
    const { line, caption } = splitExample(example)
    return [...(caption ? [`  # ${caption}`] : []), `  analytics ${line}`]
  })
  return ['Examples:', ...lines].join('\n')
}

export function splitExample(example: string): { readonly line: string; readonly caption: string | undefined } {
  const [line = '', caption] = example.split(/ # (.*)/s)
  return { line, caption }
}

function footer(parser: Parser, options: readonly string[]): string {
  const path = ['analytics', ...commandWords(parser)].join(' ')
  if (!parser.parent) {
    const topics = `${topicNames.slice(0, -1).join(', ')} or ${topicNames.at(-1)}`
    return paragraph(`See analytics <group> <command> --help, and analytics help ${topics}.`)
  }
  if (parser.commands.length > 0) return `See ${path} <command> --help for its options and examples.`
  const topics = [...(options.includes('from') ? ['targets'] : []), ...(options.includes('where') ? ['filters'] : [])]
  return [
    'More options, such as -o, --dry-run and --yes: analytics help options',
    `See also: analytics help ${[...topics, 'exit-codes'].join(', ')}`,
  ].join('\n')
}
