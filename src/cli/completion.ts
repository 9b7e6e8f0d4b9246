import type { Option } from 'commander'
import { endpoints } from '../api/endpoints.ts'
import { withPlaceholders } from '../api/path.ts'
import { timezones } from '../values/timezones.ts'
import type { Command, Tree } from './command.ts'
import { documentedFields } from './documented-fields.ts'
import { type CommandLine, chosenParser, commandWords } from './program.ts'
import { isGiven, isSwitch, optionAtEnd } from './usage-errors.ts'

export interface Candidate {
  readonly value: string
  readonly summary?: string
}

export type Names = 'profiles' | 'jobs'

interface Knowledge {
  readonly tree: Tree
  readonly topics: Readonly<Record<string, string>>
  readonly shells: readonly string[]
  look(names: Names): Promise<readonly Candidate[]>
}

type Found = readonly Candidate[] | 'files'

/** `line`: that of the words `before` the cursor. Returns `files` if the shell completes file names. */
export async function candidatesFor(
  line: CommandLine,
  before: readonly string[],
  current: string,
  knowledge: Knowledge,
): Promise<Found> {
  const found = await possible(line, before, current, knowledge)
  return found === 'files' ? found : found.filter(({ value }) => value.startsWith(current))
}

async function possible(
  line: CommandLine,
  before: readonly string[],
  current: string,
  knowledge: Knowledge,
): Promise<Found> {
  const options = line.options()
  const isClosed = before.includes('--')
  const isOption = !isClosed && current.startsWith('-')
  const last = isClosed ? undefined : optionAtEnd(options, before.at(-1) ?? '')
  if (last && !isSwitch(last) && !(last.optional && isOption)) return valuesOf(last, line, current, knowledge)
  if (isOption) return optionsOrValue(line, current, knowledge)
  if (!line.command) return line.problem ? [] : wordsAt(commandWords(line), knowledge.tree, current)
  const found = await argumentsOf(line, line.command, knowledge)
  return found.length === 0 && !isClosed ? optionsLeft(line) : found
}

async function optionsOrValue(line: CommandLine, current: string, knowledge: Knowledge): Promise<Found> {
  const [, head = '', name = ''] = /^((--[^=]+)=|(-[^-]))/.exec(current) ?? []
  const option = optionAtEnd(line.options(), name || head)
  if (!option || isSwitch(option)) return optionsLeft(line)
  const found = await valuesOf(option, line, current.slice(head.length), knowledge)
  return found === 'files' ? found : found.map(one => ({ ...one, value: head + one.value }))
}

/** An option that was given is offered again only if it may be repeated. */
function optionsLeft(line: CommandLine): readonly Candidate[] {
  return line
    .options()
    .filter(option => Array.isArray(option.defaultValue) || !line.parsers.some(parser => isGiven(parser, option)))
    .map(({ long = '', description }) => ({ value: long, summary: description }))
}

/** Filters by name first, because each summary must be loaded from its own file. */
async function wordsAt([word = '']: readonly string[], tree: Tree, current: string): Promise<readonly Candidate[]> {
  const node = tree[word]
  const words = Object.entries(typeof node === 'object' ? node.commands : tree)
  return Promise.all(
    words
      .filter(([word]) => word.startsWith(current))
      .map(async ([value, node]) => ({
        value,
        summary: typeof node === 'function' ? (await node()).summary : node.summary,
      })),
  )
}

async function valuesOf(
  { argChoices = [], flags, long = '' }: Option,
  { command }: CommandLine,
  current: string,
  { look }: Knowledge,
): Promise<Found> {
  if (long === '--profile') return look('profiles')
  if (long === '--fields') return fieldLists(command, current)
  if (long === '--timezone') return plain(timezones())
  return flags.endsWith('<FILE>') ? 'files' : plain(argChoices)
}

function fieldLists(command: Command | undefined, current: string): readonly Candidate[] {
  const before = current.split(',').slice(0, -1)
  const fields = command ? Object.keys(documentedFields(command)) : []
  return plain(fields.filter(field => !before.includes(field)).map(field => [...before, field].join(',')))
}

async function argumentsOf(line: CommandLine, command: Command, knowledge: Knowledge): Promise<Found> {
  const [word = '', verb] = commandWords(line)
  const { args } = chosenParser(line)
  if (word === 'help') return wordArguments(args, knowledge, knowledge.topics)
  if (word === 'commands') return wordArguments(args, knowledge)
  const specs = Object.values(command.args)
  const spec = specs[Math.min(args.length, specs.length - 1)]
  if (!spec || (args.length >= specs.length && spec.form !== 'many')) return []
  if (spec.value === 'FILE' || spec.value === 'COMMAND') return 'files'
  if (word === 'completion') return plain(knowledge.shells)
  if (word === 'api')
    return plain(args.length === 0 ? ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] : pathsFor(args[0] ?? ''))
  if ((word !== 'profiles' && word !== 'jobs') || verb === 'add') return []
  return (await knowledge.look(word)).filter(({ value }) => !args.includes(value))
}

async function wordArguments(
  words: readonly string[],
  { tree }: Knowledge,
  topics: Knowledge['topics'] = {},
): Promise<readonly Candidate[]> {
  const [group, more] = words
  if (more !== undefined || (group !== undefined && typeof tree[group] !== 'object')) return []
  const found = await wordsAt(words, tree, '')
  if (group !== undefined) return found
  const apart = Object.entries(topics).filter(([topic]) => !Object.hasOwn(tree, topic))
  return [...apart.map(([value, summary]) => ({ value, summary })), ...found]
}

function pathsFor(method: string): readonly string[] {
  return Object.values(endpoints)
    .flatMap(group => Object.values(group))
    .filter(row => row.method === method.toUpperCase() && !row.path.includes('/:id/'))
    .map(({ path }) => withPlaceholders(path))
}

function plain(values: readonly string[]): readonly Candidate[] {
  return values.map(value => ({ value }))
}
