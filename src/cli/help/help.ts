import type { Command } from '../command.ts'
import { isBulk, type OptionSpecs } from '../options.ts'
import { withPlaceholders } from '../placeholders.ts'
import type { Group, Tree } from '../tree.ts'
import { examples, type HelpStyle, helpPage, type Section } from './layout.ts'
import { argumentRows, argumentTerm, optionSections } from './sections.ts'
import { type Topic, type TopicName, topics } from './topics.ts'

const summary = 'Administer an analytics service: persons, plugins, event definitions, projects'
const optionsEverywhere = 'Options everywhere, such as -o json or --dry-run: see analytics help options'

export async function startHelp(tree: Tree, style: HelpStyle): Promise<string> {
  return helpPage(style, [
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
    'Usage: analytics <group> <command> [options]. Each takes --help, and analytics help lists the topics.',
  ])
}

export async function helpOn([word, verb]: readonly string[], tree: Tree, style: HelpStyle): Promise<string> {
  const node = word === undefined ? undefined : tree[word]
  if (word === undefined || node === undefined) return rootHelp(tree, style)
  if (typeof node === 'function') return commandHelp(word, await node(), style)
  const load = verb === undefined ? undefined : node.commands[verb]
  return load ? commandHelp(`${word} ${verb}`, await load(), style) : groupHelp(word, node, style)
}

async function rootHelp(tree: Tree, style: HelpStyle): Promise<string> {
  return helpPage(style, [
    summary,
    usageLine('<group> <command> [options]'),
    { title: 'Commands', rows: await commandRows(tree) },
    optionsEverywhere,
    { title: 'Topics', rows: Object.entries(topics).map(([name, { summary }]) => [`help ${name}`, summary]) },
    examples(['--sandbox persons list --search ada', 'profiles add prod', 'persons get 42 -o json', 'doctor'], style),
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

async function groupHelp(word: string, group: Group, style: HelpStyle): Promise<string> {
  const commands = await Promise.all(
    Object.entries(group.commands).map(async ([verb, load]) => ({ verb, command: await load() })),
  )
  const topic: Topic | undefined = Object.entries(topics).find(([name]) => name === word)?.[1]
  return helpPage(style, [
    group.summary,
    usageLine(`${word} <command> [options]`),
    { title: 'Commands', rows: commands.map(({ verb, command }) => [termOf(verb, command), command.summary]) },
    examples(
      commands.slice(0, 4).flatMap(({ command }) => command.examples.slice(0, 1)),
      style,
    ),
    ...(topic?.parts ?? []),
    `See analytics ${word} <command> --help for options and examples.`,
  ])
}

function commandHelp(words: string, command: Command, style: HelpStyle): string {
  const { args, options, summary, details, calls, examples: lines } = command
  const sections = optionSections(words, command, style)
  const takesTargets = sections.some(({ title }) => title === 'Targets')
  return helpPage(style, [
    summary,
    usageLine(`${termOf(words, command)} [options]`),
    takesTargets ? undefined : { title: 'Arguments', rows: argumentRows(args) },
    ...sections,
    optionsEverywhere,
    examples(lines, style),
    details,
    { title: 'Calls', rows: calls.length > 12 ? [] : calls.map(row => [row.method, withPlaceholders(row.path)]) },
    `See also ${topicsFor(options)
      .map(name => `analytics help ${name}`)
      .join(', ')}`,
  ])
}

function topicsFor(options: OptionSpecs): readonly TopicName[] {
  const bulk = isBulk(options) ? ['bulk' as const] : []
  const filters = 'where' in options ? ['filters' as const] : []
  return [...bulk, ...filters, 'exit-codes']
}

function usageLine(text: string): string {
  return `Usage: analytics ${text}`
}

function termOf(words: string, { args }: Command): string {
  return [words, ...Object.values(args).map(argumentTerm)].join(' ')
}
