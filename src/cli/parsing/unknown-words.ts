import { UsageError } from '../../errors.ts'
import { nearest } from '../../text/nearest.ts'
import type { Command } from '../command.ts'
import type { Group, Tree } from '../tree.ts'
import { type DeclaredOption, everywhere } from './declared-options.ts'
import { inputFileOptions, keyOptions, otherOptions, otherVerbs, otherWords } from './other-names.ts'

export function unknownWord(
  word: string,
  words: readonly string[],
  behind: readonly string[],
  known: Tree,
  group?: Group,
): UsageError {
  const path = ['analytics', ...words].join(' ')
  const named = group ? undefined : groupNamed(behind[0], known)
  const why = reasonAgainst(word, group ?? named?.group)
  if (why) {
    const absent = ['analytics', ...(named ? [named.name] : words), word].join(' ')
    return new UsageError(`There is no ${absent}: ${why.reason}`, { hint: why.instead })
  }
  const meant = (named && verbFirst(word, behind, named)) ?? wordMeant(word, words, known)
  return new UsageError(`${path} has no command ${JSON.stringify(word)}`, {
    hint: meant ? `Did you mean ${path} ${meant}?` : `See ${path} --help`,
  })
}

interface NamedGroup {
  readonly name: string
  readonly group: Group
}

function groupNamed(noun: string | undefined, known: Tree): NamedGroup | undefined {
  if (noun === undefined) return undefined
  const name = [noun, `${noun}s`, ...(own(otherWords, noun) ?? [])].find(one => Object.hasOwn(known, one))
  const group = name === undefined ? undefined : known[name]
  return name === undefined || group === undefined || typeof group === 'function' ? undefined : { name, group }
}

/** Other tools put the verb first; their `get` without an id lists. */
function verbFirst(verb: string, [, next = '-']: readonly string[], { name, group }: NamedGroup): string | undefined {
  const wanted = verb === 'get' && next.startsWith('-') ? 'ls' : verb
  const meant = Object.hasOwn(group.commands, wanted) ? wanted : wordMeant(wanted, [name], group.commands)
  return meant && `${name} ${meant}`
}

/** Also for another tool's word, such as `add` for `create`. */
function reasonAgainst(word: string, { absent = {} }: Partial<Group> = {}) {
  const found = [word, ...(own(otherVerbs, word) ?? [])].find(one => Object.hasOwn(absent, one))
  return found === undefined ? undefined : absent[found]
}

function wordMeant(word: string, [group]: readonly string[], known: Tree): string | undefined {
  if (group === undefined) return own(otherWords, word)?.[0] ?? nearest(word, Object.keys(known))
  const others = own(otherVerbs, `${group} ${word}`) ?? own(otherVerbs, word)
  if (!others) return nearest(word, withoutOpposites(word, Object.keys(known)))
  return others.find(one => Object.hasOwn(known, one.split(' ')[0] ?? ''))
}

/** Excludes similar words with another meaning, such as `delete` for `undelete`, or `output-file` for `input-file`. */
function withoutOpposites(word: string, choices: readonly string[]): readonly string[] {
  const negation = /^(un|no-)/
  const isRead = word.includes('file') && !word.includes('out')
  return choices.filter(one => {
    if (isRead && one === 'output-file') return false
    const [own = '', others = ''] = [word, one].map(text => negation.exec(text)?.[0])
    if (own !== '' || word.startsWith('no')) return own === others || others === 'no-'
    return others === '' || nearest(word, [one.slice(others.length)]) === undefined
  })
}

export function unknownOption(
  unknown: readonly string[],
  words: readonly string[],
  options: readonly DeclaredOption[],
  args: Command['args'],
): UsageError {
  const path = ['analytics', ...words].join(' ')
  return (
    behindDashes(unknown, path, args) ??
    argumentAsOption(unknown, words, args) ??
    noSuchOption(unknown, options, words) ??
    new UsageError(`There is no option ${nameOf(unknown)}`, { hint: `See ${path} --help` })
  )
}

/** Handles options of the command that `sandbox exec` runs, and values such as -7d. */
function behindDashes(unknown: readonly string[], path: string, args: Command['args']): UsageError | undefined {
  const name = nameOf(unknown)
  const [arg] = Object.values(args)
  const isOfCommand = arg?.value === 'COMMAND'
  if (!arg || !(isOfCommand || /^-\d/.test(name))) return undefined
  const refused = problemOf(arg, name)
  if (refused) return refused
  const hint = isOfCommand ? `Put -- before the command: ${path} -- COMMAND` : `Put -- before it: ${path} -- ${name}`
  return new UsageError(`There is no option ${name}`, { hint })
}

function problemOf({ check }: Command['args'][string], word: string): UsageError | undefined {
  try {
    check?.(word)
  } catch (error) {
    if (error instanceof UsageError) return error
    throw error
  }
  return undefined
}

/** Some tools have an option for an argument: `persons get --id 42`. */
function argumentAsOption(
  unknown: readonly string[],
  words: readonly string[],
  args: Command['args'],
): UsageError | undefined {
  const name = nameOf(unknown)
  const values = Object.values(args).map(({ value }) => value)
  const isMany = Object.values(args).some(arg => arg.form === 'many' && name === `--${arg.value.toLowerCase()}s`)
  // A value that is not a list may be a file name.
  const isList = isMany && /^[\w-]+(,[\w-]+)*$/.test(valueIn(unknown))
  const isNamed = (value: string) => name === `--${value.toLowerCase()}`
  const isFile = (value: string) => inputFileOptions.includes(name) && ['FILE', 'PLAN'].includes(value)
  if (!isList && !values.some(value => isNamed(value) || isFile(value))) return undefined
  const line = ['analytics', ...words, ...values].join(' ')
  const typed = values.length === 1 ? withValue(line, unknown) : line
  const shown = isList ? typed.replaceAll(',', ' ') : typed
  return new UsageError(`There is no option ${name}`, { hint: `Leave ${name} out: ${shown}` })
}

export function misplacedOption(unknown: readonly string[], words: readonly string[]): UsageError {
  const name = nameOf(unknown)
  return (
    noSuchOption(unknown, everywhere) ??
    new UsageError(`There is no option ${name} before the command`, {
      hint: `If the command has it, write it after the command: ${['analytics', ...words, '…', name].join(' ')}`,
    })
  )
}

function noSuchOption(
  unknown: readonly string[],
  options: readonly DeclaredOption[],
  words: readonly string[] = [],
): UsageError | undefined {
  const name = nameOf(unknown)
  const has = (one: string | undefined) => options.some(({ name, short }) => name === one || short === one)
  // For a choice of targets, --all would select everyone.
  const choosesTargets = has('--expect')
  const isOurs = (other: string) => {
    const [first] = other.split(' ')
    return has(first) && !(choosesTargets && first === '--all')
  }
  const takesParameters = isOurs('--param')
  if (keyOptions.includes(name) && !(takesParameters && name === '--key')) return keyAsOption(name)
  // Leading dashes would make all names look similar.
  const bare = name.replace(/^-+/, '')
  const names = options.map(option => option.name.slice(2))
  const near = nearest(bare, withoutOpposites(bare, names))
  const listed = inputFileOptions.includes(name) ? '--file' : name
  const rows = [[...words, listed], [words[0], listed], [listed]].map(row => row.join(' '))
  const others = [...new Set(rows)].flatMap(row => own(otherOptions, row) ?? []).filter(isOurs)
  const parameter = takesParameters && name.startsWith('--') ? parameterOf(name) : undefined
  const meant = others.find(one => fitsValue(one, unknown)) ?? others[0] ?? (near && `--${near}`) ?? parameter
  if (meant === undefined) return undefined
  // The value after --key may be a secret.
  const shown = keyOptions.includes(name) ? meant : withValue(meant, unknown)
  return new UsageError(`There is no option ${name}`, { hint: `Did you mean ${shown}?` })
}

/** Parameters of views are named like `person_id`. */
function parameterOf(name: string): string {
  return `--param ${name.slice(2).replaceAll('-', '_')}=VALUE`
}

function nameOf([typed = '']: readonly string[]): string {
  return typed.split('=')[0] ?? ''
}

function withValue(meant: string, unknown: readonly string[]): string {
  const value = valueIn(unknown)
  if (!/^[\w.=@,+-]+$/.test(value) || value.startsWith('-')) return meant
  const queried = /^[a-z_][\w.]*$/i.test(value) ? meant.replace('&FIELD', `&${value}`) : meant
  return queried.replace(/@?\b(?:[A-Z]+|A,B)$/, placeholder =>
    placeholder.startsWith('@') ? `@${value.replace(/^@/, '')}` : value,
  )
}

function fitsValue(meant: string, unknown: readonly string[]): boolean {
  if (meant.endsWith(' N')) return /^\d+$/.test(valueIn(unknown))
  return !meant.endsWith(' FIELD') || valueIn(unknown).includes('=')
}

function valueIn([typed = '', next = '']: readonly string[]): string {
  return /=(.*)/s.exec(typed)?.[1] ?? next
}

function keyAsOption(name: string): UsageError {
  return new UsageError(`There is no option ${name}: a key on the command line could be read by others`, {
    hint: 'Set ANALYTICS_API_KEY, or keep the key in a profile with analytics profiles add',
  })
}

function own(table: Readonly<Record<string, readonly string[]>>, word: string): readonly string[] | undefined {
  return Object.hasOwn(table, word) ? table[word] : undefined
}
