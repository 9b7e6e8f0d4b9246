/** The messages repeat no value, since it may be secret or personal. */
import type { CommanderError, Command as Parser } from 'commander'
import { UsageError } from '../errors.ts'
import { quoteText } from '../values/kinds.ts'
import type { Tree } from './command.ts'
import { foreignAliases, notOffered } from './foreign-aliases.ts'
import { isOptionNamed } from './options.ts'
import { commandWords, optionsAt } from './program.ts'

/** Prefers the table of other tools' words to commander's suggestion. */
export function usageErrorOf({ code, message }: CommanderError, parser: Parser, tree: Tree): UsageError {
  const [problem = '', near] = message.replace(/^error: /, '').split('\n')
  const path = ['analytics', ...commandWords(parser)].join(' ')
  const hint = near?.slice(1, -1) ?? `See ${path} --help`
  if (code === 'commander.unknownOption') return unknownOption(problem, hint, parser)
  if (code === 'commander.unknownCommand') return unknownWord(path, hint, parser, tree)
  if (code === 'commander.optionMissingArgument') {
    const [, name = ''] = /(--[\w-]+)/.exec(problem) ?? []
    return new UsageError(`${name} needs a value`, { hint: 'Is a shell variable empty?' })
  }
  const [, argument, choices] = /argument '(.*)'\. Allowed choices are (.*)\.$/s.exec(problem) ?? []
  if (argument !== undefined) return new UsageError(`${argument} must be one of ${choices}`)
  const quotes = code === 'commander.excessArguments' ? 'Put quotes around a value with spaces. ' : ''
  return new UsageError(`${problem.charAt(0).toUpperCase()}${problem.slice(1)}`, {
    hint: `${quotes}Usage: ${path} ${parser.usage()}`,
  })
}

function unknownOption(problem: string, hint: string, parser: Parser): UsageError {
  // Without the value, as in '--api-key=…' and '-p…'.
  const [, name = ''] = /'(--[^=']*|-.)/.exec(problem) ?? []
  if (optionsAt(parser).some(option => isOptionNamed(option, name))) {
    return new UsageError(`${name} takes no value`, { hint: `Use ${name} without a value` })
  }
  return new UsageError(`Unknown option ${name}`, { hint: notOffered.get(name) ?? equivalentOf(name, parser) ?? hint })
}

function unknownWord(path: string, hint: string, parser: Parser, tree: Tree): UsageError {
  const [word = '', ...others] = parser.args
  const [noun = others.find(one => Object.hasOwn(tree, one)) ?? ''] = commandWords(parser)
  const instead = notOffered.get(`${noun} ${word}`)
  if (instead !== undefined) return new UsageError(`Unknown command ${noun} ${word}`, { hint: instead })
  const group = tree[noun]
  const isVerb = typeof group === 'object' && Object.hasOwn(group.commands, word)
  return new UsageError(`Unknown command ${quoteText(word)} for ${path}`, {
    hint: isVerb ? `Use analytics ${noun} ${word}` : (equivalentOf(word, parser) ?? hint),
  })
}

function equivalentOf(word: string, parser: Parser): string | undefined {
  const path = commandWords(parser)
  const isAvailable = (first = '') =>
    optionsAt(parser).some(option => isOptionNamed(option, first)) || parser.commands.some(one => one.name() === first)
  const rows = [foreignAliases.get(`${path[0]} ${word}`), foreignAliases.get(word)]
  const equivalent = rows.find(row => isAvailable(row?.split(/[ ,]/)[0]))
  return equivalent && `Use ${equivalent.startsWith('-') ? equivalent : ['analytics', ...path, equivalent].join(' ')}`
}
