/** Reads a command line with commander. Loads only the file of the command. */
import { CommanderError, type Help, type Option, Command as Parser } from 'commander'
import type { Values } from '../config/settings.ts'
import { UsageError } from '../errors.ts'
import { type Command, commonOptions, declareOptions, isOptionNamed, optionValues, type Tree } from './command.ts'

const aliases: Readonly<Record<string, string>> = { list: 'ls', delete: 'rm', remove: 'rm', get: 'show' }

interface Reached {
  /** Parser of the last group or command. */
  readonly parser: Parser
  readonly below: Tree
  readonly command: Command | undefined
}

export async function readCommandLine(typed: readonly string[], tree: Tree) {
  const program = declareOptions(newProgram(), commonOptions)
  const argv = await wordsFirst(typed, program, tree)
  let reached: Reached = { parser: program, below: tree, command: undefined }
  let problem: UsageError | undefined
  const enter = (at: Parser, words: Tree) => {
    declareWords(at, words, argv)
    at.hook('preSubcommand', async (_, chosen) => {
      const node = words[chosen.name()]
      const below = typeof node === 'object' ? node.commands : {}
      reached = { parser: chosen, below, command: undefined }
      if (typeof node !== 'function') return enter(chosen, below)
      reached = { ...reached, command: await declareCommand(chosen, node) }
      refuseOptionAsValue(optionsAt(chosen), argv)
    })
  }
  enter(program, tree)
  try {
    refuseOptionAsValue(program.options, argv)
    await program.parseAsync(argv, { from: 'user' })
  } catch (error) {
    if (error instanceof UsageError) problem = error
    else if (!(error instanceof CommanderError)) throw error
    // A group without a verb shows its help.
    else if (error.code !== 'commander.help') {
      const { usageErrorOf } = await import('./usage.ts')
      problem = usageErrorOf(error, reached.parser, tree)
    }
  }
  const { help, version, ...values } = optionValues(program, commonOptions)
  const settings: Values = values
  const requested = { help: help === true, version: version === true }
  return { ...reached, ...valuesOfCommand(reached), settings, requested, problem }
}

function valuesOfCommand({ parser, command }: Reached) {
  const { args = {}, options = {} } = command ?? {}
  return {
    args: Object.fromEntries(Object.entries(args).map(([name, { take }], i) => [name, take(parser.args.slice(i))])),
    options: optionValues(parser, options),
  }
}

/** Options of a command may come before its words, but commander needs the words first. */
async function wordsFirst(argv: readonly string[], program: Parser, tree: Tree): Promise<readonly string[]> {
  if (!findWords(argv, tree, program.options).isOptionUnknown) return argv
  const loads = Object.values(tree).flatMap(node => (typeof node === 'object' ? Object.values(node.commands) : [node]))
  const commands = await Promise.all(loads.map(load => load()))
  const parsers = commands.map(({ options = {} }) => declareOptions(program.createCommand(), options))
  const { at } = findWords(
    argv,
    tree,
    [program, ...parsers].flatMap(parser => parser.options),
  )
  return [...at.flatMap(i => argv[i] ?? []), ...argv.filter((_, i) => !at.includes(i))]
}

function findWords(argv: readonly string[], tree: Tree, options: readonly Option[]) {
  const at: number[] = []
  let below = tree
  let isOptionUnknown = false
  for (let i = 0; i < argv.length && argv[i] !== '--'; i++) {
    const typed = argv[i] ?? ''
    if (typed.startsWith('-')) {
      const name = typed.startsWith('--') ? typed.replace(/=.*/s, '') : typed.slice(0, 2)
      const option = options.find(one => isOptionNamed(one, name))
      if (!option) isOptionUnknown = true
      if (typed === name && option?.required) i++
      continue
    }
    const word = Object.keys(below).find(one => one === typed || (at.length > 0 && aliases[one] === typed))
    if (word === undefined) break
    at.push(i)
    const node = below[word]
    if (typeof node !== 'object') break
    below = node.commands
  }
  return { at, isOptionUnknown }
}

function newProgram(): Parser {
  const silent = () => undefined
  return new Parser('analytics')
    .exitOverride()
    .configureOutput({ writeErr: silent, outputError: silent })
    .helpOption(false)
    .helpCommand(false)
}

export function createHelp(): Help {
  return new Parser().createHelp()
}

/** Declares only the typed words, to save time. Without any it declares all, for help and suggestions. */
export function declareWords(parser: Parser, words: Tree, argv: readonly string[] = []): void {
  const all = Object.entries(words)
  const typed = all.filter(([word]) => argv.includes(word) || argv.includes(aliases[word] ?? word))
  for (const [word, node] of typed.length > 0 ? typed : all) {
    const declared = parser.command(word).helpCommand(false)
    if (typeof node !== 'function') declared.summary(node.summary)
    const alias = parser.parent && aliases[word]
    if (alias && !(alias in words)) declared.alias(alias)
  }
}

async function declareCommand(parser: Parser, load: () => Promise<Command>): Promise<Command> {
  const command = await load()
  const { summary, args = {}, options = {} } = command
  for (const { check, choices, flags, summary } of Object.values(args)) {
    const argument = parser.createArgument(flags, summary)
    if (choices.length > 0) argument.choices(choices)
    else argument.argParser((word: string, _: unknown) => check(word))
    parser.addArgument(argument)
  }
  parser.summary(summary).usage([...Object.values(args).map(({ flags }) => flags), '[options]'].join(' '))
  declareOptions(parser, options)
  return command
}

export async function declareBelow(parser: Parser, words: Tree): Promise<void> {
  for (const declared of parser.commands) {
    const node = words[declared.name()]
    if (typeof node === 'function') await declareCommand(declared, node)
  }
}

/** commander would take the next option as the value, but the value is probably an unset shell variable. */
function refuseOptionAsValue(options: readonly Option[], words: readonly string[]): void {
  for (let i = 0; i < words.length && words[i] !== '--'; i++) {
    const option = options.find(one => isOptionNamed(one, words[i] ?? ''))
    if (!option?.required) continue
    // Without the value, which may be secret.
    const [nextWord = ''] = words[++i]?.split('=') ?? []
    if (!options.some(({ long, short }) => nextWord === long || nextWord.slice(0, 2) === short)) continue
    const message = `${option.long} needs a value, but the next argument is ${nextWord}. Is a shell variable empty?`
    throw new UsageError(message, { hint: `To use ${nextWord} as the value, write ${option.long}=${nextWord}` })
  }
}

/** Options of the command, its group and the program. */
export function optionsAt(parser: Parser): readonly Option[] {
  return [...parser.options, ...(parser.parent ? optionsAt(parser.parent) : [])]
}

/** Such as `['persons', 'list']`. */
export function commandWords(parser: Parser): readonly string[] {
  return parser.parent ? [...commandWords(parser.parent), parser.name()] : []
}
