/** What is wrong with a command line, in messages that repeat no value, since it may be secret or personal. */
import type { CommanderError, Command as Parser } from 'commander'
import { UsageError } from '../errors.ts'
import { quoteText } from '../values/kinds.ts'
import type { Tree } from './command.ts'
import { absent, otherWords } from './other-words.ts'
import { commandWords, isNamed, optionsAt } from './program.ts'

/** commander's own words and suggestion, unless we know what the word means in another tool. */
export function usageErrorOf({ code, message }: CommanderError, parser: Parser, tree: Tree): UsageError {
  const [said = '', near] = message.replace(/^error: /, '').split('\n')
  const path = ['analytics', ...commandWords(parser)].join(' ')
  const hint = near?.slice(1, -1) ?? `See ${path} --help`
  if (code === 'commander.unknownOption') return unknownOption(said, hint, parser)
  if (code === 'commander.unknownCommand') return unknownWord(path, hint, parser, tree)
  const isMissing = code === 'commander.optionMissingArgument'
  return new UsageError(`${said.charAt(0).toUpperCase()}${said.slice(1)}`, {
    hint: isMissing ? 'Give it one; is a variable of your shell not set?' : `Usage: ${path} ${parser.usage()}`,
  })
}

function unknownOption(said: string, hint: string, parser: Parser): UsageError {
  // Without what stands behind it, as in '--api-key=…' and '-p…'.
  const [, name = ''] = /'(--[^=']*|-.)/.exec(said) ?? []
  if (optionsAt(parser).some(option => isNamed(option, name))) {
    return new UsageError(`${name} takes no value`, { hint: `Give ${name} alone, or leave it out` })
  }
  const meaning = meaningOf(name, parser)
  if (!meaning && /^--(api[-_]?key|key|token|password)$/.test(name)) {
    return new UsageError(`There is no option ${name}: on a command line others could read the key`, {
      hint: 'Set ANALYTICS_API_KEY, or keep the key in a profile with analytics profiles add',
    })
  }
  const placed =
    parser.commands.length === 0 ? hint : hint.replace(/^See.*/, 'An option of a command stands behind its words')
  return new UsageError(`There is no option ${name}`, { hint: meaning ?? placed })
}

function unknownWord(path: string, hint: string, parser: Parser, tree: Tree): UsageError {
  const [word = '', ...others] = parser.args
  const [noun = others.find(one => Object.hasOwn(tree, one)) ?? ''] = commandWords(parser)
  const reason = absent.get(`${noun} ${word}`)
  if (reason !== undefined) return new UsageError(`There is no ${noun} ${word}: ${reason}`)
  const group = tree[noun]
  const isVerb = typeof group === 'object' && Object.hasOwn(group.commands, word)
  return new UsageError(`${path} has no command ${quoteText(word)}`, {
    hint: isVerb ? `Use analytics ${noun} ${word}` : (meaningOf(word, parser) ?? hint),
  })
}

function meaningOf(word: string, parser: Parser): string | undefined {
  const path = commandWords(parser)
  const isThere = (first = '') =>
    optionsAt(parser).some(option => isNamed(option, first)) || parser.commands.some(one => one.name() === first)
  const rows = [otherWords.get(`${path[0]} ${word}`), otherWords.get(word)]
  const ours = rows.find(row => isThere(row?.split(/[ ,]/)[0]))
  return ours && `Use ${ours.startsWith('-') ? ours : ['analytics', ...path, ours].join(' ')}`
}
