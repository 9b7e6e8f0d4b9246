/** Splits words into options, their values, and the rest. commander does it, and no other file looks for options in words. */
import { Command as Commander, CommanderError, Option } from 'commander'
import type { DeclaredOption } from './declared-options.ts'

export interface GivenOption {
  readonly option: DeclaredOption
  /** Its value as it was typed; undefined for a switch, and where an optional value was left out. */
  readonly text: string | undefined
}

export interface SplitWords {
  readonly given: readonly GivenOption[]
  /** The words that are neither options nor their values. */
  readonly operands: readonly string[]
  /** The first word that looks like an option and is none, with all words behind it; empty where there is none. */
  readonly unknown: readonly string[]
  /** The option whose value should follow the last word. */
  readonly awaiting: DeclaredOption | undefined
}

/** With `upToWord` it stops at the first operand: `operands` then holds that and all words behind it, unread. */
export function splitWords(options: readonly DeclaredOption[], words: readonly string[], upToWord = false): SplitWords {
  const given: GivenOption[] = []
  const parser = new Commander().exitOverride().helpOption(false).passThroughOptions(upToWord)
  parser.configureOutput({ writeErr: () => undefined })
  for (const option of options) {
    parser.addOption(new Option(flagsOf(option)))
    parser.on(`option:${option.name.slice(2)}`, (text?: string | null) =>
      given.push({ option, text: textOf(option, text) }),
    )
  }
  try {
    const rest = parser.parseOptions([...words])
    const last = given.at(-1)?.option
    return { given, ...rest, awaiting: last?.optional && words.at(-1) === last.name ? last : undefined }
  } catch (error) {
    if (!(error instanceof CommanderError && error.code === 'commander.optionMissingArgument')) throw error
    return { ...splitWords(options, words.slice(0, -1), upToWord), awaiting: lastOption(options, words.at(-1) ?? '') }
  }
}

function flagsOf({ name, short, value, optional }: DeclaredOption): string {
  const names = short ? `${short}, ${name}` : name
  if (value === undefined) return names
  return optional ? `${names} [value]` : `${names} <value>`
}

/** Of `-o=json` commander takes `=json` for the value. */
function textOf({ short, value }: DeclaredOption, text: string | null | undefined): string | undefined {
  if (value === undefined || text === null) return undefined
  return short ? text?.replace(/^=/, '') : text
}

/** The option that a last word such as `--output`, `-o` or `-qo` ends in. */
function lastOption(options: readonly DeclaredOption[], word: string): DeclaredOption | undefined {
  return options.find(({ name, short }) => (word.startsWith('--') ? word === name : short === `-${word.slice(-1)}`))
}
