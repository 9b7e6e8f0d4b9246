import { endpoints } from '../../api/endpoints.ts'
import { project } from '../../api/resources.ts'
import { timezones } from '../../values/timezones.ts'
import type { Command } from '../command.ts'
import { documentedFields } from '../documented-fields.ts'
import type { CommandLine } from '../parsing/command-line.ts'
import type { DeclaredOption } from '../parsing/declared-options.ts'
import { splitWords } from '../parsing/lexer.ts'
import { withPlaceholders } from '../placeholders.ts'
import type { Tree } from '../tree.ts'

export interface Candidate {
  readonly value: string
  readonly summary?: string
}

export type Names = 'profiles' | 'jobs' | 'projects' | 'event-definitions' | 'plugins'

interface Knowledge {
  readonly tree: Tree
  readonly topics: Readonly<Record<string, string>>
  readonly shells: readonly string[]
  look(names: Names, line: CommandLine): Promise<readonly Candidate[]>
}

/** `line`: the text before the cursor. Returns `files` if the shell completes file names. */
export async function candidatesFor(
  line: CommandLine,
  current: string,
  knowledge: Knowledge,
): Promise<readonly Candidate[] | 'files'> {
  const found = await possible(line, current, knowledge)
  return found === 'files' ? found : found.filter(({ value }) => value.startsWith(current))
}

async function possible(
  line: CommandLine,
  current: string,
  knowledge: Knowledge,
): Promise<readonly Candidate[] | 'files'> {
  const { awaiting, closed, command, options, problem } = line
  const isOption = !closed && current.startsWith('-')
  if (awaiting && !(awaiting.optional && isOption)) return valuesOf(awaiting, line, current, knowledge)
  if (isOption) return optionsOrValue(line, current, knowledge)
  if (!command) return problem ? [] : wordsOf(nodesAt(line.words, knowledge.tree), current)
  const found = await argumentsOf(line, command, knowledge)
  return found.length === 0 && !closed ? optionsLeft(options, line) : found
}

async function optionsOrValue(line: CommandLine, current: string, knowledge: Knowledge) {
  const [begun] = splitWords(line.options, [current]).given
  if (begun?.text === undefined) return optionsLeft(line.options, line)
  const found = await valuesOf(begun.option, line, begun.text, knowledge)
  const head = current.slice(0, current.length - begun.text.length)
  return found === 'files' ? found : found.map(one => ({ ...one, value: head + one.value }))
}

function optionsLeft(options: readonly DeclaredOption[], { given }: CommandLine): readonly Candidate[] {
  return options
    .filter(option => option.repeatable || !given.some(one => one.option === option))
    .map(({ name, summary }) => ({ value: name, summary }))
}

function nodesAt([word]: readonly string[], tree: Tree): Tree {
  const node = word === undefined ? undefined : tree[word]
  return typeof node === 'object' ? node.commands : tree
}

/** Filters by name first, because each summary must be loaded from its own file. */
async function wordsOf(nodes: Tree, current: string): Promise<readonly Candidate[]> {
  const fitting = Object.entries(nodes).filter(([word]) => word.startsWith(current))
  return Promise.all(
    fitting.map(async ([value, node]) => ({
      value,
      summary: typeof node === 'function' ? (await node()).summary : node.summary,
    })),
  )
}

const named: Readonly<Record<string, Names>> = {
  '--profile': 'profiles',
  '--project': 'projects',
  '--against': 'projects',
}

async function valuesOf(
  { name, value, kind }: DeclaredOption,
  line: CommandLine,
  current: string,
  { look }: Knowledge,
): Promise<readonly Candidate[] | 'files'> {
  const names = named[name]
  if (names) return look(names, line)
  if (name === '--fields') return fieldLists(line.command, current)
  if (kind === project.fields.timezone.kind) return plain(timezones)
  return value === 'FILE' ? 'files' : plain(kind.choices ?? [])
}

function fieldLists(command: Command | undefined, current: string): readonly Candidate[] {
  const before = current.split(',').slice(0, -1)
  const fields = command ? Object.keys(documentedFields(command)) : []
  return plain(fields.filter(field => !before.includes(field)).map(field => [...before, field].join(',')))
}

const namedArguments: Readonly<Record<string, Names>> = {
  profiles: 'profiles',
  jobs: 'jobs',
  projects: 'projects',
  'event-definitions': 'event-definitions',
  plugins: 'plugins',
}

async function argumentsOf(
  line: CommandLine,
  command: Command,
  knowledge: Knowledge,
): Promise<readonly Candidate[] | 'files'> {
  const { words, args } = line
  const [word = ''] = words
  if (word === 'help') return helpArguments(args, knowledge)
  const specs = Object.values(command.args)
  const spec = specs[Math.min(args.length, specs.length - 1)]
  if (!spec || (args.length >= specs.length && spec.form !== 'many')) return []
  if (spec.value === 'FILE' || spec.value === 'COMMAND') return 'files'
  if (word === 'completion') return plain(knowledge.shells)
  if (word === 'api')
    return plain(args.length === 0 ? ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] : pathsFor(args[0] ?? ''))
  const names = namedArguments[word]
  if (!names || words[1] === 'add') return []
  return (await knowledge.look(names, line)).filter(({ value }) => !args.includes(value))
}

async function helpArguments(words: readonly string[], { tree, topics }: Knowledge): Promise<readonly Candidate[]> {
  const [group, more] = words
  if (more !== undefined || (group !== undefined && typeof tree[group] !== 'object')) return []
  const found = await wordsOf(nodesAt(words, tree), '')
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
