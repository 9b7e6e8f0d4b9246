/** What is wrong with a command line, in messages that repeat no value, since it may be secret or personal. */
import type { CommanderError, Command as Parser } from 'commander'
import { UsageError } from '../errors.ts'
import type { Tree } from './command.ts'
import { absent, otherWords } from './other-words.ts'
import { commandWords, isNamed, rootOf } from './program.ts'

/** commander's own words and suggestion, unless we know what the word means in another tool. */
export function usageErrorOf({ code, message }: CommanderError, parser: Parser, tree: Tree): UsageError {
  const [said = '', near] = message.replace(/^error: /, '').split('\n')
  const path = ['analytics', ...commandWords(parser)].join(' ')
  const hint = near?.slice(1, -1) ?? `See ${path} --help`
  if (code === 'commander.unknownOption') return unknownOption(said, hint, parser)
  if (code === 'commander.unknownCommand') return unknownWord(parser, hint, tree)
  return new UsageError(`${said.charAt(0).toUpperCase()}${said.slice(1)}`, { hint: `Usage: ${path} ${parser.usage()}` })
}

function unknownOption(said: string, hint: string, parser: Parser): UsageError {
  // Without what stands behind it, as in '--api-key=…' and '-p…'.
  const [, name = ''] = /'(--[^=']*|-.)/.exec(said) ?? []
  const known = [...parser.options, ...rootOf(parser).options]
  if (known.some(({ long }) => long === name)) {
    return new UsageError(`${name} takes no value`, { hint: `Give ${name} alone, or leave it out` })
  }
  const isThere = (word: string) => !word.startsWith('-') || known.some(option => isNamed(option, word))
  const ours = meaningOf(name, parser, isThere, '')
  const placed = parser.parent ? hint : hint.replace(/^See.*/, 'An option of a command stands behind its words')
  return new UsageError(`There is no option ${name}`, { hint: ours ?? placed })
}

function unknownWord(parser: Parser, hint: string, tree: Tree): UsageError {
  const [word = '', ...others] = parser.args
  const [noun = others.find(one => Object.hasOwn(tree, one)) ?? ''] = commandWords(parser)
  const reason = absent[`${noun} ${word}`]
  if (reason !== undefined) return new UsageError(`There is no ${noun} ${word}: ${reason}`)
  const group = tree[noun]
  const isVerb = typeof group === 'object' && Object.hasOwn(group.commands, word)
  const isThere = (first: string) => first.startsWith('-') || parser.commands.some(one => one.name() === first)
  const path = ['analytics', ...commandWords(parser)].join(' ')
  return new UsageError(`${path} has no command ${JSON.stringify(word)}`, {
    hint: isVerb ? `Use analytics ${noun} ${word}` : (meaningOf(word, parser, isThere, `${path} `) ?? hint),
  })
}

function meaningOf(
  word: string,
  parser: Parser,
  isThere: (first: string) => boolean,
  before: string,
): string | undefined {
  const [noun = ''] = commandWords(parser)
  const ours = [`${noun} ${word}`, word].flatMap(key => (Object.hasOwn(otherWords, key) ? [otherWords[key] ?? ''] : []))
  const found = ours.find(words => isThere(words.split(/[ ,]/)[0] ?? ''))
  return found && `Use ${found.startsWith('-') ? '' : before}${found}`
}
