/** What can stand at the cursor: words of the tree, options, and the values of each from where they are known. */
import { endpoints } from '../../api/endpoints.ts'
import { person, project } from '../../api/resources.ts'
import { outcomeView, views } from '../../output/views.ts'
import { timezones } from '../../values/timezones.ts'
import type { Command } from '../command.ts'
import type { Tree } from '../tree.ts'
import { halves, type Known, nodesAt, type PartialCommand } from './parse-partial.ts'

export interface Candidate {
  readonly value: string
  readonly summary?: string
}

/** Names that only this machine or the service knows. */
export type Names = 'profiles' | 'jobs' | 'projects' | 'event-definitions'

export interface Knowledge {
  readonly tree: Tree
  readonly topics: Readonly<Record<string, string>>
  readonly shells: readonly string[]
  look(names: Names, typed: PartialCommand): Promise<readonly Candidate[]>
}

/** What fits; `files`: the shell is to complete the name of a file. */
export async function candidatesFor(
  typed: PartialCommand,
  current: string,
  knowledge: Knowledge,
): Promise<readonly Candidate[] | 'files'> {
  const found = await possible(typed, current, knowledge)
  return found === 'files' ? found : found.filter(({ value }) => value.startsWith(current))
}

async function possible(
  typed: PartialCommand,
  current: string,
  knowledge: Knowledge,
): Promise<readonly Candidate[] | 'files'> {
  const { awaiting, closed, command, options } = typed
  if (awaiting) return valuesOf(awaiting, typed, current, knowledge)
  const [name, value] = halves(current)
  if (!closed && value !== undefined) {
    const option = options.find(one => one.name === name && one.value !== undefined)
    const found = option ? await valuesOf(option, typed, value, knowledge) : []
    return found === 'files' ? found : found.map(one => ({ ...one, value: `${name}=${one.value}` }))
  }
  if (!closed && current.startsWith('-')) return optionsLeft(typed)
  if (!command) return wordsOf(nodesAt(typed.words, knowledge.tree), current)
  const found = await argumentsOf(typed, command, knowledge)
  return found.length === 0 && !closed ? optionsLeft(typed) : found
}

function optionsLeft({ options, given }: PartialCommand): readonly Candidate[] {
  return options
    .filter(option => option.repeatable || !given.has(option))
    .map(({ name, summary }) => ({ value: name, summary }))
}

/** Of those only that fit: each has its summary in a file of its own. */
async function wordsOf(nodes: Tree, current: string): Promise<readonly Candidate[]> {
  const fitting = Object.entries(nodes).filter(([word]) => word.startsWith(current))
  return Promise.all(
    fitting.map(async ([value, node]) => ({
      value,
      summary: typeof node === 'function' ? (await node()).summary : node.summary,
    })),
  )
}

/** Options whose values have names somewhere. */
const named: Readonly<Record<string, Names>> = {
  '--profile': 'profiles',
  '--project': 'projects',
  '--against': 'projects',
}

async function valuesOf(
  { name, value, kind }: Known,
  typed: PartialCommand,
  current: string,
  { look }: Knowledge,
): Promise<readonly Candidate[] | 'files'> {
  const names = named[name]
  if (names) return look(names, typed)
  if (name === '--fields') return fieldLists(typed.command, current)
  if (kind === project.fields.timezone.kind) return plain(timezones)
  return value === 'FILE' ? 'files' : plain(kind.choices ?? [])
}

/** The fields that are not in the list yet, each behind what is. */
function fieldLists(command: Command | undefined, current: string): readonly Candidate[] {
  const before = current.split(',').slice(0, -1)
  const fields = command ? fieldsOf(command) : []
  return plain(fields.filter(field => !before.includes(field)).map(field => [...before, field].join(',')))
}

/** Fields that its rows can have, as far as they are documented. */
function fieldsOf({ calls, options }: Command): readonly string[] {
  if ('maxFailures' in options) return outcomeView.fields
  for (const { returns } of calls) {
    if (!('of' in returns)) continue
    const more = returns.of === person ? views.person.columns : []
    return [...new Set([...Object.keys(returns.of.fields), ...more])]
  }
  return []
}

/** Arguments whose values have names somewhere, by the first word of the command. */
const namedArguments: Readonly<Record<string, Names>> = {
  profiles: 'profiles',
  jobs: 'jobs',
  projects: 'projects',
  'event-definitions': 'event-definitions',
}

async function argumentsOf(
  typed: PartialCommand,
  command: Command,
  knowledge: Knowledge,
): Promise<readonly Candidate[] | 'files'> {
  const { words, args } = typed
  const [word = ''] = words
  if (word === 'help') return helpArguments(args, knowledge)
  const specs = Object.values(command.args)
  const spec = specs[Math.min(args.length, specs.length - 1)]
  if (!spec || (args.length >= specs.length && spec.form !== 'many')) return []
  if (spec.value === 'FILE' || spec.value === 'COMMAND') return 'files'
  if (word === 'completion') return plain(knowledge.shells)
  if (word === 'api') return plain(args.length === 0 ? ['GET', 'POST', 'PATCH', 'DELETE'] : pathsFor(args[0] ?? ''))
  const names = namedArguments[word]
  if (!names || words[1] === 'add') return []
  return (await knowledge.look(names, typed)).filter(({ value }) => !args.includes(value))
}

async function helpArguments(words: readonly string[], { tree, topics }: Knowledge): Promise<readonly Candidate[]> {
  const [group, more] = words
  if (more !== undefined || (group !== undefined && typeof tree[group] !== 'object')) return []
  const found = await wordsOf(nodesAt(words, tree), '')
  if (group !== undefined) return found
  const apart = Object.entries(topics).filter(([topic]) => !Object.hasOwn(tree, topic))
  return [...apart.map(([value, summary]) => ({ value, summary })), ...found]
}

/** The paths of a method that need no id, as `api` takes them. */
function pathsFor(method: string): readonly string[] {
  return Object.values(endpoints)
    .flatMap(group => Object.values(group))
    .filter(row => row.method === method.toUpperCase() && !row.path.includes('/:id/'))
    .map(({ path }) =>
      path.replace(':project_id', '{project}').replace(':parent_lookup_organization_id', '{organization}'),
    )
}

function plain(values: readonly string[]): readonly Candidate[] {
  return values.map(value => ({ value }))
}
