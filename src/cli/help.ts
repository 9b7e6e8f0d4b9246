/** The text of `--help` at each level, from the same declarations that are parsed. */
import { type Setting, settingRows } from '../profiles/settings.ts'
import type { Command } from './command.ts'
import { examples, page, type Section, settingLabel } from './help-layout.ts'
import { type ArgumentSpec, type OptionSpec, type OptionSpecs, optionName } from './options.ts'
import { type Topic, topics } from './topics.ts'
import type { Group, Tree } from './tree.ts'

const summary = 'Administer an analytics service: persons, plugins, event definitions, projects'

/** `analytics` by itself: where to start, and what there is, on one screen. */
export async function startHelp(tree: Tree, width: number): Promise<string> {
  const names = Object.keys(topics)
  return page(width, [
    summary,
    {
      title: 'Start here',
      rows: [
        ['analytics --sandbox persons list', 'try it on made-up data, with no account'],
        ['analytics profiles add prod', 'name your service; it asks for the key'],
        ['analytics doctor', 'check that the service can be reached'],
      ],
    },
    { title: 'Commands', rows: await commandRows(tree) },
    `Usage: analytics <group> <command> [options], with --help at each step; and analytics help ${names.slice(0, -1).join(', ')} or ${names.at(-1)}.`,
  ])
}

/** `analytics --help`. */
export async function rootHelp(tree: Tree, width: number): Promise<string> {
  return page(width, [
    summary,
    usageLine('<group> <command> [options]'),
    examples(['--sandbox persons list --search ada', 'profiles add prod', 'persons get 42 -o json', 'doctor'], width),
    { title: 'Commands', rows: await commandRows(tree) },
    settingSection('Options everywhere', () => true),
    { title: 'Topics', rows: Object.entries(topics).map(([name, { summary }]) => [`help ${name}`, summary]) },
    'See analytics <group> --help for its commands, and analytics <group> <command> --help for one of them.',
  ])
}

async function commandRows(tree: Tree): Promise<Section['rows']> {
  return Promise.all(
    Object.entries(tree).map(
      async ([word, node]): Promise<[string, string]> => [
        word,
        typeof node === 'function' ? (await node()).summary : node.summary,
      ],
    ),
  )
}

/** `analytics persons --help`, with the topic of the same name where there is one. */
export async function groupHelp(word: string, group: Group, width: number): Promise<string> {
  const commands = await Promise.all(
    Object.entries(group.commands).map(async ([verb, load]) => ({ verb, command: await load() })),
  )
  const topic: Topic | undefined = Object.entries(topics).find(([name]) => name === word)?.[1]
  return page(width, [
    group.summary,
    usageLine(`${word} <command> [options]`),
    examples(
      commands.slice(0, 4).flatMap(({ command }) => command.examples.slice(0, 1)),
      width,
    ),
    { title: 'Commands', rows: commands.map(({ verb, command }) => [termOf(verb, command), command.summary]) },
    ...(topic?.parts ?? []),
    `See analytics ${word} <command> --help for options and examples.`,
  ])
}

/** `analytics persons list --help`. */
export function commandHelp(words: readonly string[], command: Command, width: number): string {
  const { args, options, summary, details, calls, examples: lines } = command
  return page(width, [
    summary,
    usageLine(`${termOf(words.join(' '), command)} [options]`),
    examples(lines, width),
    details,
    { title: 'Arguments', rows: Object.values(args).map(spec => [argumentLabel(spec), spec.summary]) },
    optionSection('Fields', options, ({ field }) => field === true),
    optionSection('Options', options, ({ field }) => field !== true),
    settingSection('Output', row => row.group === 'output'),
    settingSection('Everywhere', row => row.group !== 'output'),
    { title: 'Calls', rows: calls.length > 12 ? [] : calls.map(row => [row.method, row.path]) },
    { title: 'More', rows: topicsFor(command).map(name => [`analytics help ${name}`, topics[name].summary]) },
  ])
}

/** The topics that bear on a command. */
function topicsFor({ options }: Command) {
  return ['maxFailures' in options ? ['bulk' as const] : [], 'exit-codes' as const].flat()
}

function usageLine(text: string): string {
  return `Usage: analytics ${text}`
}

function termOf(words: string, { args }: Command): string {
  return [words, ...Object.values(args).map(argumentLabel)].join(' ')
}

function argumentLabel(spec: ArgumentSpec): string {
  if (spec.form === 'required') return spec.value
  return spec.form === 'many' ? `[${spec.value}...]` : `[${spec.value}]`
}

function optionRow(name: string, spec: OptionSpec): [string, string] {
  const long = optionName(name)
  if (spec.form === 'toggle') return [`--[no-]${long.slice(2)}`, spec.summary]
  const repeatable = spec.form === 'repeated' ? ' (repeatable)' : ''
  return [`${spec.short ? `${spec.short}, ` : ''}${long} ${spec.value}`.trimEnd(), spec.summary + repeatable]
}

function optionSection(title: string, options: OptionSpecs, shown: (spec: OptionSpec) => boolean): Section {
  const rows = Object.entries(options).filter(([, spec]) => shown(spec))
  return { title, rows: rows.map(([name, spec]) => optionRow(name, spec)) }
}

function settingSection(title: string, shown: (row: Setting) => boolean): Section {
  const rows = settingRows.flatMap(([, row]): [string, string][] =>
    row.option && shown(row) ? [[settingLabel(row), row.summary]] : [],
  )
  return {
    title,
    rows: title === 'Output' ? rows : [...rows, ['-h, --help', 'this text'], ['-V, --version', 'the version']],
  }
}
