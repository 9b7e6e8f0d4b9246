/** commander is the program: groups and verbs are its commands, and only the way to the chosen one is declared. */
import { CommanderError, type Option, Command as Parser } from 'commander'
import type { Values } from '../config/settings.ts'
import { UsageError } from '../errors.ts'
import { declareArguments } from './arguments.ts'
import type { Command, Group, Tree } from './command.ts'
import { declareOptions, optionName, type Report, settingOptions } from './options.ts'
import { damagedWord, typingError, usageErrorOf } from './usage-errors.ts'

export interface CommandLine {
  /** The program, a group and a command, as far as the words name them. */
  readonly parsers: readonly [Parser, ...Parser[]]
  readonly group: Group | undefined
  readonly command: Command | undefined
  /** Those that can stand there. */
  options(): readonly Option[]
  readonly settings: Values
  readonly asksFor: { readonly help: boolean; readonly version: boolean; readonly fields: boolean }
  /** The first of several. */
  readonly problem: UsageError | undefined
}

interface Way {
  readonly parsers: [Parser, ...Parser[]]
  group: Group | undefined
  command: Command | undefined
}

/** After a problem the rest of the line is still read, because a later option may choose the form of errors. */
export async function readCommandLine(argv: readonly string[], tree: Tree): Promise<CommandLine> {
  const problems = [damagedWord(argv) ?? []].flat()
  const report = (problem: UsageError) => void problems.push(problem)
  const given = new Map<string, unknown>()
  const program = newProgram()
  const way: Way = { parsers: [program], group: undefined, command: undefined }
  const optionsOf = (parser: Parser) => {
    if (!parser.options.some(({ long }) => long === '--help'))
      for (const option of settingOptions(parser, given, report)) parser.addOption(option)
    return parser.options
  }
  const enter = (parser: Parser, words: readonly string[]) => {
    // Most lines have options only behind the words: declaring them at each word would take a millisecond.
    if (!(way.command ? words.some(isDashed) : words.slice(0, 1).some(isDashed))) return
    const problem = typingError(optionsOf(parser), words, way.command === undefined)
    if (problem) report(problem)
  }
  const declareWords = (parser: Parser, nodes: Tree) => {
    for (const word of Object.keys(nodes)) if (argv.includes(word)) parser.command(word)
    // Without an action commander would print its own help.
    parser.action(() => undefined)
    parser.hook('preSubcommand', async (_, chosen) => {
      way.parsers.push(chosen)
      const node = nodes[chosen.name()]
      if (typeof node === 'function') {
        way.command = await node()
        declareCommand(chosen, way.command, report)
      } else if (node) {
        way.group = node
        declareWords(chosen, node.commands)
      }
      enter(chosen, parser.args.slice(1))
    })
  }
  declareWords(program, tree)
  enter(program, argv)
  try {
    await program.parseAsync(argv, { from: 'user' })
  } catch (error) {
    if (error instanceof CommanderError) report(usageErrorOf(error.code, { ...way, argv, tree }))
    else if (error instanceof UsageError) report(error)
    else throw error
  }
  const [problem] = problems
  if (problem && argv.some(isDashed)) {
    optionsOf(program)
    readSettings(program, argv)
  }
  return {
    ...{ group: way.group, command: way.command, parsers: way.parsers, problem },
    options: () => optionsOf(chosenParser(way)),
    asksFor: {
      help: given.delete('help'),
      version: given.delete('version'),
      fields: way.parsers.some(parser => parser.getOptionValue('fields') === true),
    },
    // The kind of each setting read its value.
    settings: Object.fromEntries(given) as Values,
  }
}

function isDashed(word: string): boolean {
  return word.startsWith('-')
}

export function newProgram(): Parser {
  const silent = () => undefined
  return new Parser('analytics')
    .exitOverride()
    .configureOutput({ writeErr: silent, outputError: silent })
    .showSuggestionAfterError(false)
    .enablePositionalOptions()
    .helpOption(false)
    .helpCommand(false)
}

function declareCommand(parser: Parser, { args, options, summary }: Command, report: Report): void {
  parser.description(summary)
  declareArguments(parser, args)
  declareOptions(parser, options, report)
}

/** Reads the options of every command, wherever they stand. */
function readSettings(program: Parser, argv: readonly string[]): void {
  try {
    program.enablePositionalOptions(false).parseOptions([...argv])
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
  }
}

export function commandWords({ parsers }: Pick<CommandLine, 'parsers'>): readonly string[] {
  return parsers.slice(1).map(parser => parser.name())
}

export function chosenParser({ parsers }: Pick<CommandLine, 'parsers'>): Parser {
  return parsers.at(-1) ?? parsers[0]
}

export interface ParsedCommand {
  readonly args: Readonly<Record<string, unknown>>
  readonly options: Readonly<Record<string, unknown>>
}

export function parsedCommand(line: CommandLine, { args, options }: Command): ParsedCommand {
  const parser = chosenParser(line)
  const valueOfOption = (name: string) => {
    const option = parser.options.find(({ long }) => long === optionName(name))
    return option && parser.getOptionValue(option.attributeName())
  }
  return {
    args: Object.fromEntries(Object.entries(args).map(([name, { take }], i) => [name, take(parser.args.slice(i))])),
    options: Object.fromEntries(Object.keys(options).map(name => [name, valueOfOption(name)])),
  }
}
