import { UsageError } from '../../errors.ts'
import type { SettingName } from '../../profiles/settings.ts'
import type { Command } from '../command.ts'
import type { Group, Tree } from '../tree.ts'
import { type DeclaredOption, everywhere, oppositeOf, ownOptions } from './declared-options.ts'
import { type GivenOption, type SplitWords, splitWords } from './lexer.ts'
import { misplacedOption, unknownOption, unknownWord } from './unknown-words.ts'

export interface CommandLine {
  readonly words: readonly string[]
  readonly command: Command | undefined
  readonly options: readonly DeclaredOption[]
  readonly given: readonly GivenOption[]
  readonly args: readonly string[]
  /** Last option, if its value is missing. */
  readonly awaiting?: DeclaredOption | undefined
  readonly closed?: boolean
  /** First syntax error; values and the number of arguments are checked later. */
  readonly problem?: UsageError | undefined
}

/** Syntax errors are returned in `problem`, and the rest of the line is still read. */
export async function readCommandLine(argv: readonly string[], tree: Tree): Promise<CommandLine> {
  const words: string[] = []
  const given: GivenOption[] = []
  let group: Group | undefined
  let rest = argv
  let problem: UsageError | undefined
  for (;;) {
    const split = splitWords(everywhere, rest, true)
    given.push(...split.given)
    problem ??= emptyValue(split)
    const [word, ...behind] = split.operands
    if (word === undefined) return withoutCommand(argv, words, given, split, problem)
    const known = group?.commands ?? tree
    const node = Object.hasOwn(known, word) ? known[word] : undefined
    if (node === undefined) return broken(argv, words, problem ?? unknownWord(word, words, behind, known, group))
    words.push(word)
    if (typeof node === 'function') return withCommand(words, await node(), given, behind, problem)
    group = node
    rest = behind
  }
}

function withoutCommand(
  argv: readonly string[],
  words: readonly string[],
  given: readonly GivenOption[],
  { unknown, awaiting }: SplitWords,
  empty: UsageError | undefined,
): CommandLine {
  if (unknown.length > 0) return broken(argv, words, empty ?? misplacedOption(unknown, words))
  const problem = empty ?? missingValue(awaiting)
  return { words, command: undefined, options: everywhere, given, args: [], awaiting, problem }
}

/** Continues after an error, because a later option may set the format of errors. */
function broken(argv: readonly string[], words: readonly string[], problem: UsageError): CommandLine {
  const { given } = splitWords(everywhere, argv)
  return { words, command: undefined, options: everywhere, given, args: [], problem }
}

function withCommand(
  words: readonly string[],
  command: Command,
  before: readonly GivenOption[],
  rest: readonly string[],
  empty: UsageError | undefined,
): CommandLine {
  const options = [...ownOptions(command), ...everywhere]
  const split = splitWords(options, rest)
  const { given, operands, unknown, awaiting } = split
  const args = [...operands, ...unknown.filter(word => !word.startsWith('-'))]
  const problem =
    empty ??
    emptyValue(split) ??
    valueOfSwitch(options, rest, operands, unknown) ??
    (unknown.length > 0 ? unknownOption(unknown, words, options, command.args) : undefined) ??
    missingValue(awaiting)
  return { words, command, options, given: [...before, ...given], args, awaiting, problem, closed: rest.includes('--') }
}

/** Shows only the name of the next word, because its value may be a secret. */
function emptyValue({ empty }: SplitWords): UsageError | undefined {
  if (!empty) return undefined
  const { name } = empty.option
  const [next] = empty.next.split('=')
  return new UsageError(`${name} has no value: the next word is ${next}; is a variable of your shell not set?`, {
    hint: `Write ${name}=${next} if that is meant`,
  })
}

function missingValue(awaiting: DeclaredOption | undefined): UsageError | undefined {
  if (!awaiting || awaiting.optional) return undefined
  const { name, value } = awaiting
  return new UsageError(`${name} needs a value`, { hint: `Give it as ${name} ${value}` })
}

/** Explains `--yes=false` and `--yes false`, where `false` would become an argument. */
function valueOfSwitch(
  options: readonly DeclaredOption[],
  rest: readonly string[],
  operands: readonly string[],
  unknown: readonly string[],
): UsageError | undefined {
  const switchNamed = (typed: string | undefined) =>
    options.find(({ name, short, value }) => value === undefined && (typed === name || typed === short))
  const at = rest.findIndex(
    (word, i) => /^(true|false)$/i.test(word) && operands.includes(word) && switchNamed(rest[i - 1]),
  )
  const [typed = '', value] = at < 0 ? (unknown[0]?.split(/=(.*)/s) ?? []) : [rest[at - 1], rest[at]]
  const found = value === undefined ? undefined : switchNamed(typed)
  if (!found) return undefined
  const opposite = options.find(({ name }) => name === oppositeOf(found.name))
  return new UsageError(`${typed} takes no value, and ${JSON.stringify(value)} was given`, {
    hint: `Give ${typed} alone, or ${opposite ? `${opposite.name} for the opposite` : 'leave it out'}`,
  })
}

export function asksFor({ given }: CommandLine, what: 'help' | 'version'): boolean {
  return given.some(({ option: { sets } }) => 'asks' in sets && sets.asks === what)
}

export function typedText({ given }: CommandLine, setting: SettingName): string | undefined {
  return given.findLast(({ option: { sets } }) => 'setting' in sets && sets.setting === setting)?.text
}

export function hasSetting({ given }: CommandLine, setting: SettingName): boolean {
  return given.some(({ option: { sets } }) => 'setting' in sets && sets.setting === setting)
}
