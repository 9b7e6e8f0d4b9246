/** What is wrong with a command line, in messages that repeat no value, since it may be secret or personal. */
import type { Option, Command as Parser } from 'commander'
import { UsageError } from '../errors.ts'
import { isDamaged } from '../text/damaged.ts'
import { argumentProblem } from './arguments.ts'
import { type Command, type Group, splitExample, type Tree } from './command.ts'
import { optionName } from './options.ts'
import { misplacedOption, unknownOption, unknownWord } from './suggestions.ts'

/** Another value than the one that was typed would be searched for, or sent. */
export function damagedWord(words: readonly string[]): UsageError | undefined {
  const at = words.findIndex(isDamaged)
  if (at < 0) return undefined
  return new UsageError(`Word ${at + 1} after analytics is not UTF-8 text`, {
    hint: 'Use UTF-8 in the terminal and in scripts; where JSON is taken, \\ufffd stands for the character U+FFFD itself',
  })
}

/**
 * commander takes whatever stands behind an option as its value. But a shell drops an empty variable, and then the next
 * option stands there; and `false` behind a switch would become an argument.
 */
export function typingError(
  options: readonly Option[],
  words: readonly string[],
  upToWord: boolean,
): UsageError | undefined {
  for (let i = 0; i < words.length; i++) {
    const word = words[i] ?? ''
    const next = words[i + 1]
    if (word === '--' || (upToWord && !word.startsWith('-'))) return undefined
    const option = optionAtEnd(options, word)
    if (!option || next === undefined) continue
    if (isSwitch(option)) {
      if (/^(true|false)$/i.test(next)) return valueOfSwitch(option, options, word, next)
    } else {
      if (option.required && isOption(options, next)) return emptyValue(option, next)
      if (option.required || !next.startsWith('-')) i++
    }
  }
  return undefined
}

/** The option whose value would be the next word: that of `--output`, `-o` or `-qo`. */
export function optionAtEnd(options: readonly Option[], word: string): Option | undefined {
  if (word.startsWith('--') || !word.startsWith('-')) return options.find(({ long }) => long === word)
  for (const [i, letter] of [...word.slice(1)].entries()) {
    const option = options.find(({ short }) => short === `-${letter}`)
    if (!option || i === word.length - 2) return option
    if (!isSwitch(option)) return undefined
  }
  return undefined
}

/** Also `--name=…`, `-ojson` and `-qn`; but `-none` only if `-o` could have the value `ne`. */
function isOption(options: readonly Option[], word: string): boolean {
  if (!word.startsWith('-')) return false
  const [name] = word.split('=')
  if (word === '--' || options.some(({ long, short }) => long === name || short === name)) return true
  if (word.startsWith('--') || word === '-') return false
  for (const [i, letter] of [...word.slice(1)].entries()) {
    const option = options.find(({ short }) => short === `-${letter}`)
    if (!option) return false
    const value = word.slice(i + 2)
    if (!isSwitch(option)) return value === '' || (option.argChoices?.includes(value.replace(/^=/, '')) ?? true)
  }
  return true
}

export function isSwitch({ required, optional }: Option): boolean {
  return !required && !optional
}

export function isGiven(parser: Parser, option: Option): boolean {
  return parser.getOptionValueSource(option.attributeName()) === 'cli'
}

/** Shows only the name of the next word, because its value may be a secret. */
function emptyValue({ long }: Option, word: string): UsageError {
  const [next] = word.split('=')
  return new UsageError(`${long} has no value: the next word is ${next}; is a variable of your shell not set?`, {
    hint: `Write ${long}=${next} if that is meant`,
  })
}

function valueOfSwitch({ long }: Option, options: readonly Option[], typed: string, value: string): UsageError {
  const opposite = options.find(one => one.negate && one.long === `--no-${long?.slice(2)}`)
  return new UsageError(`${typed} takes no value, and ${JSON.stringify(value)} was given`, {
    hint: `Give ${typed} alone, or ${opposite ? `${opposite.long} for the opposite` : 'leave it out'}`,
  })
}

interface Failed {
  readonly parsers: readonly [Parser, ...Parser[]]
  readonly group: Group | undefined
  readonly command: Command | undefined
  readonly argv: readonly string[]
  readonly tree: Tree
}

/** `code`: of the error of commander, whose message repeats what was typed. */
export function usageErrorOf(code: string, { parsers, group, command, argv, tree }: Failed): UsageError {
  const parser = parsers.at(-1) ?? parsers[0]
  const { args, options } = parser
  const words = parsers.slice(1).map(parser => parser.name())
  if (code === 'commander.optionMissingArgument') return missingValue(optionAtEnd(options, argv.at(-1) ?? ''))
  if (!command) {
    const [word = '', ...behind] = args
    if (word.startsWith('-')) return misplacedOption(word.split('=')[0] ?? '', words, options)
    return unknownWord(word, words, behind, group?.commands ?? tree, group)
  }
  if (code === 'commander.unknownOption') {
    // commander takes a negative number for an argument.
    const [name = '', value] = args.find(word => /^-(?!\d*\.?\d+(e[+-]?\d+)?$)./.test(word))?.split(/=(.*)/s) ?? []
    const found = value === undefined ? undefined : options.find(one => isSwitch(one) && optionAtEnd([one], name))
    if (found) return valueOfSwitch(found, options, name, value ?? '')
    return unknownOption(name, words, options, command.args)
  }
  if (code === 'commander.conflictingOption') return contradiction(parser, command)
  return wrongNumber(['analytics', ...words].join(' '), command, parser)
}

function contradiction(parser: Parser, { options }: Command): UsageError {
  const isTyped = (name: string) => parser.options.some(one => one.long === optionName(name) && isGiven(parser, one))
  const pairs = Object.entries(options).flatMap(([name, { conflicts = [] }]) => conflicts.map(other => [name, other]))
  const [one, other] = pairs.find(pair => pair.every(isTyped))?.map(optionName) ?? []
  return new UsageError(`${one} cannot be combined with ${other}`, { hint: 'Leave one of them out' })
}

function missingValue(option: Option | undefined): UsageError {
  const [, value = 'VALUE'] = /<(.*)>/.exec(option?.flags ?? '') ?? []
  return new UsageError(`${option?.long} needs a value`, { hint: `Give it as ${option?.long} ${value}` })
}

/** Does not repeat a word that may be a key. */
function wrongNumber(path: string, command: Command, parser: Parser): UsageError {
  const { args } = parser
  const specs = Object.values(command.args)
  const refused = specs.flatMap((spec, i) => (args[i] === undefined ? [] : (argumentProblem(spec, args[i]) ?? [])))
  if (refused[0]) return refused[0]
  const missing = specs.find(({ form }, i) => form === 'required' && args[i] === undefined)
  if (missing) {
    const [example = ''] = command.examples
    return new UsageError(`${missing.value} is missing`, {
      hint: `Give it as in: analytics ${splitExample(example).line}`,
    })
  }
  const most = specs.length
  const takes = most === 0 ? 'no arguments' : most === 1 ? '1 argument' : `${most} arguments`
  const given = args.length === 1 ? '1 was given' : `${args.length} were given`
  const hint = parser.options.some(option => option.required && isGiven(parser, option))
    ? 'A value with blanks needs quotes around it; see'
    : 'See'
  return new UsageError(`${path} takes ${takes}, and ${given}`, { hint: `${hint} ${path} --help` })
}
