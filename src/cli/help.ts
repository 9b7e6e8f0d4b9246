/** Pages of help: commander prints them, with our columns; below its sections stand examples and what is only named. */
import type { HelpConfiguration, Command as Parser } from 'commander'
import { withPlaceholders } from '../api/path.ts'
import { boolean, integer, text } from '../values/kinds.ts'
import { argumentLabel, declareArguments } from './arguments.ts'
import { type Command, programSummary, type Tree } from './command.ts'
import {
  commandPage,
  commaSeparated,
  examples,
  type HelpStyle,
  optionRow,
  type Part,
  type Section,
  type Topic,
} from './help-layout.ts'
import { isBulk, type OptionSpec, type OptionSpecs, optionLabel, optionName } from './options.ts'
import { type CommandLine, chosenParser, commandWords } from './program.ts'

const optionsEverywhere = 'Options everywhere, such as -o json or --dry-run: see analytics help options'

interface Known {
  readonly tree: Tree
  readonly topics: Readonly<Record<string, Topic>>
}

export async function helpOn(line: CommandLine, { tree, topics }: Known, style: HelpStyle): Promise<string> {
  const { command, group } = line
  const parser = chosenParser(line)
  const words = commandWords(line).join(' ')
  if (command) return commandHelp(parser, words, command, style)
  const commands = await Promise.all(
    Object.entries(group?.commands ?? tree).map(async ([name, node]) => {
      const listed = parser.commands.find(one => one.name() === name) ?? parser.command(name)
      if (typeof node !== 'function') return void listed.description(node.summary)
      const command = await node()
      if (group) declareArguments(listed, command.args)
      listed.description(command.summary)
      return command
    }),
  )
  if (group) return groupHelp(parser.description(group.summary), commands, topics[parser.name()], style)
  parser.description(programSummary).usage('<group> <command> [options]')
  return commandPage(parser, style, line.asksFor.help ? rootParts(topics, style) : startParts)
}

const startParts: readonly Part[] = [
  {
    title: 'Start here',
    rows: [
      ['analytics --sandbox persons list', 'try it on made-up data, with no account'],
      ['analytics profiles add prod', 'name your service; it asks for the key'],
      ['analytics doctor', 'check that the service can be reached'],
      ['analytics help', 'the topics; every command takes --help'],
    ],
  },
]

function rootParts(topics: Known['topics'], style: HelpStyle): readonly Part[] {
  return [
    optionsEverywhere,
    { title: 'Topics', rows: Object.entries(topics).map(([name, { summary }]) => [`help ${name}`, summary]) },
    examples(['--sandbox persons list --search ada', 'profiles add prod', 'persons get 42 -o json', 'doctor'], style),
    'See analytics <group> --help for its commands, and analytics <group> <command> --help for one of them.',
  ]
}

function groupHelp(
  parser: Parser,
  commands: readonly (Command | undefined)[],
  topic: Topic | undefined,
  style: HelpStyle,
): string {
  return commandPage(parser.usage('<command> [options]'), style, [
    examples(
      commands.slice(0, 4).flatMap(command => command?.examples[0] ?? []),
      style,
    ),
    ...(topic?.parts ?? []),
    `See analytics ${parser.name()} <command> --help for options and examples.`,
  ])
}

/** More rows would not fit on a screen. */
const mostRows = 12

type Row = readonly [string, OptionSpec]

/** The common options are shown in full, and the others as a list of names. */
function commandHelp(parser: Parser, words: string, command: Command, style: HelpStyle): string {
  const { args, options, details, calls } = command
  const rows = Object.entries(options)
  const fields = rows.filter(([, { section }]) => section === 'Fields')
  const shared = ['Lists', 'Guards', 'Run', 'Records'].map(title => ({
    title,
    rows: rows.filter(([, { section }]) => section === title),
  }))
  const targets = rows.filter(([, { section }]) => section === 'Targets')
  const areMany = shared.flatMap(({ rows }) => rows).length + targets.length > mostRows
  const named = new Set<string | undefined>(
    [...(fields.length > mostRows ? fields : []), ...(areMany ? shared.flatMap(({ rows }) => rows) : [])].map(
      ([name]) => optionName(name),
    ),
  )
  const labels = new Map<string | undefined, string>(rows.map(row => [optionName(row[0]), optionLabel(row)]))
  parser.usage([...Object.values(args).map(argumentLabel), '[options]'].join(' '))
  const terms: HelpConfiguration = {
    visibleOptions: ({ options }) => options.filter(({ hidden, long }) => !hidden && !named.has(long)),
    optionTerm: ({ long, flags }) => labels.get(long) ?? flags,
    optionDescription: ({ defaultValue, description }) =>
      description + (Array.isArray(defaultValue) ? ' (repeatable)' : ''),
  }
  return commandPage(
    parser,
    style,
    [
      fields.length > mostRows ? fieldList(words, fields) : undefined,
      areMany ? nameList(shared) : undefined,
      optionsEverywhere,
      examples(command.examples, style),
      details,
      { title: 'Calls', rows: calls.length > 12 ? [] : calls.map(row => [row.method, withPlaceholders(row.path)]) },
      `See also ${topicsFor(options)
        .map(name => `analytics help ${name}`)
        .join(', ')}`,
    ],
    terms,
  )
}

function topicsFor(options: OptionSpecs): readonly string[] {
  const bulk = isBulk(options) ? ['bulk'] : []
  const filters = 'where' in options ? ['filters'] : []
  return [...bulk, ...filters, 'exit-codes']
}

const ordinary = new Set([text, integer, boolean].map(({ takes }) => takes))

/** In full only those whose values need an explanation. */
function fieldList(words: string, fields: readonly Row[]): Section {
  const special = fields.filter(([, { kind }]) => !ordinary.has(kind.takes))
  const others = fields.filter(([, { kind }]) => ordinary.has(kind.takes))
  return {
    title: `Fields (analytics help fields ${words.split(' ')[0]})`,
    rows: [...special.map(optionRow), ['', commaSeparated(others)]],
  }
}

function nameList(groups: readonly { readonly title: string; readonly rows: readonly Row[] }[]): Section {
  const rows = groups.filter(({ rows }) => rows.length > 0)
  return {
    title: 'More options (analytics help bulk)',
    rows: rows.map(({ title, rows }) => [title, commaSeparated(rows)]),
  }
}
