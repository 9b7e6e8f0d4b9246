/** What a word that is none of ours may mean. */
import type { Option } from 'commander'
import { UsageError } from '../errors.ts'
import { nearest } from '../text/nearest.ts'
import { type ArgumentSpec, type ArgumentSpecs, argumentLabel, argumentProblem } from './arguments.ts'
import type { Group, Tree } from './command.ts'
import { inputFileOptions, keyOptions, otherWords } from './other-words.ts'

/** `known`: the words that could stand there; `behind`: those after it. */
export function unknownWord(
  word: string,
  words: readonly string[],
  behind: readonly string[],
  known: Tree,
  group: Group | undefined,
): UsageError {
  const path = ['analytics', ...words].join(' ')
  const named = group ? undefined : groupNamed(behind[0], known)
  const why = reasonAgainst(word, group ?? named?.group)
  if (why) {
    const absent = ['analytics', ...(named ? [named.name] : words), word].join(' ')
    return new UsageError(`There is no ${absent}: ${why.reason}`, { hint: why.instead })
  }
  const meant = group
    ? verbMeant(word, words[0] ?? '', group)
    : (verbFirst(word, behind, named) ?? nounMeant(word, known))
  return new UsageError(`${path} has no command ${JSON.stringify(word)}`, {
    hint: meant ? `Did you mean ${path} ${meant}?` : `See ${path} --help`,
  })
}

interface NamedGroup {
  readonly name: string
  readonly group: Group
}

function groupNamed(noun = '', known: Tree): NamedGroup | undefined {
  const name = [noun, `${noun}s`, ...(own(otherWords, noun) ?? [])].find(one => Object.hasOwn(known, one))
  const group = name === undefined ? undefined : known[name]
  return name === undefined || !group || typeof group === 'function' ? undefined : { name, group }
}

/** Other tools put the verb first; their `get` without an id lists. */
function verbFirst(verb: string, [, next = '-']: readonly string[], named?: NamedGroup): string | undefined {
  if (!named) return undefined
  const wanted = verb === 'get' && next.startsWith('-') ? 'list' : verb
  const meant = verbMeant(wanted, named.name, named.group)
  return meant && `${named.name} ${meant}`
}

/** Also for another tool's word, such as `add` for `create`. */
function reasonAgainst(word: string, { absent = {} }: Partial<Group> = {}) {
  return own(absent, [word, ...(own(otherWords, word) ?? [])].find(one => Object.hasOwn(absent, one)) ?? '')
}

function verbMeant(word: string, noun: string, { commands }: Group): string | undefined {
  const verbs = Object.keys(commands)
  return (
    knownVerb(word, noun, verbs) ?? (own(otherWords, word) ? undefined : nearest(word, withoutOpposites(word, verbs)))
  )
}

function knownVerb(word: string, noun: string, verbs: readonly string[]): string | undefined {
  const meanings = [word, ...(own(otherWords, `${noun} ${word}`) ?? own(otherWords, word) ?? [])]
  return meanings.find(one => verbs.includes(firstOf(one)))
}

/** A verb without its noun is probably that of the first group that has it. */
function nounMeant(word: string, known: Tree): string | undefined {
  const noun = own(otherWords, word)?.find(one => one.startsWith('-') || Object.hasOwn(known, firstOf(one)))
  if (noun !== undefined) return noun
  for (const [name, node] of Object.entries(known)) {
    const verb = typeof node === 'function' ? undefined : knownVerb(word, name, Object.keys(node.commands))
    if (verb !== undefined) return `${name} ${verb}`
  }
  return nearest(word, Object.keys(known))
}

/** Excludes similar words with the opposite meaning, such as `delete` for `undelete`. */
function withoutOpposites(word: string, choices: readonly string[]): readonly string[] {
  const isNegation = (one: string) => /^(un|no)/.test(one)
  return choices.filter(one => isNegation(one) === isNegation(word))
}

export function unknownOption(
  name: string,
  words: readonly string[],
  options: readonly Option[],
  args: ArgumentSpecs,
): UsageError {
  const path = ['analytics', ...words].join(' ')
  return (
    behindDashes(name, path, args) ??
    argumentAsOption(name, path, args) ??
    noSuchOption(name, options, words) ??
    new UsageError(`There is no option ${name}`, { hint: `See ${path} --help` })
  )
}

/** `options`: those of every command. */
export function misplacedOption(name: string, words: readonly string[], options: readonly Option[]): UsageError {
  return (
    noSuchOption(name, options, []) ??
    new UsageError(`There is no option ${name} before the command`, {
      hint: `If the command has it, write it after the command: ${['analytics', ...words, '…', name].join(' ')}`,
    })
  )
}

/** Values such as -7d. */
function behindDashes(name: string, path: string, args: ArgumentSpecs): UsageError | undefined {
  const [arg] = Object.values(args)
  if (!arg || !/^-\d/.test(name)) return undefined
  const hint = `Put -- before it: ${path} -- ${name}`
  return argumentProblem(arg, name) ?? new UsageError(`There is no option ${name}`, { hint })
}

/** Some tools have an option for an argument: `persons get --id 42`, `persons delete --ids 42`. */
function argumentAsOption(name: string, path: string, args: ArgumentSpecs): UsageError | undefined {
  const specs = Object.values(args)
  const isNamed = ({ form, value }: ArgumentSpec) =>
    name === `--${value.toLowerCase()}` ||
    (form === 'many' && name === `--${value.toLowerCase()}s`) ||
    (inputFileOptions.includes(name) && ['FILE', 'PLAN'].includes(value))
  if (!specs.some(isNamed)) return undefined
  const line = [path, ...specs.map(argumentLabel)].join(' ')
  return new UsageError(`There is no option ${name}`, { hint: `Leave ${name} out: ${line}` })
}

function noSuchOption(name: string, options: readonly Option[], words: readonly string[]): UsageError | undefined {
  const has = (one: string) => options.some(({ long, short }) => long === one || short === one)
  // For a choice of targets, --all would select everyone.
  const isOurs = (other: string) => has(firstOf(other)) && !(has('--expect') && firstOf(other) === '--all')
  if (keyOptions.includes(name) && !(has('--param') && name === '--key')) return keyAsOption(name)
  // Leading dashes would make all names look similar.
  const bare = name.replace(/^-+/, '')
  const names = options.map(option => option.name())
  // Who reads a file must not be led to an option that writes one.
  const isRead = inputFileOptions.includes(name)
  const near = isRead ? undefined : nearest(bare, withoutOpposites(bare, names))
  const listed = isRead ? '--file' : name
  const others = [`${words[0]} ${listed}`, listed].flatMap(row => own(otherWords, row) ?? []).filter(isOurs)
  // Parameters of views are named like `person_id`.
  const parameter = has('--param') && name.startsWith('--') ? `--param ${bare.replaceAll('-', '_')}=VALUE` : undefined
  const meant = others[0] ?? (near && `--${near}`) ?? parameter
  return meant === undefined
    ? undefined
    : new UsageError(`There is no option ${name}`, { hint: `Did you mean ${meant}?` })
}

function keyAsOption(name: string): UsageError {
  return new UsageError(`There is no option ${name}: a key on the command line could be read by others`, {
    hint: 'Set ANALYTICS_API_KEY, or keep the key in a profile with analytics profiles add',
  })
}

function firstOf(words: string): string {
  return words.split(' ')[0] ?? ''
}

function own<T>(table: Readonly<Record<string, T>>, word: string): T | undefined {
  return Object.hasOwn(table, word) ? table[word] : undefined
}
