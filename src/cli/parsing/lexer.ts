/** Splits words into options, values and operands with commander; no other file looks for options in words. */
import { Command as Commander, CommanderError, Option } from 'commander'
import type { DeclaredOption } from './declared-options.ts'

export interface GivenOption {
  readonly option: DeclaredOption
  /** As typed; undefined for a switch and for an optional value that was left out. */
  readonly text: string | undefined
}

export interface SplitWords {
  readonly given: readonly GivenOption[]
  readonly operands: readonly string[]
  /** The first unknown option with all words after it; empty where there is none. */
  readonly unknown: readonly string[]
  /** The option that the last word left without a value. */
  readonly awaiting: DeclaredOption | undefined
  /** The first option that has an option behind it in place of its value. */
  readonly empty?: { readonly option: DeclaredOption; readonly next: string } | undefined
}

/**
 * With `upToWord` it stops at the first operand: `operands` then holds it and all words after it, unread.
 * An option with another option in place of its value is left out: a shell drops an empty variable without quotes.
 */
export function splitWords(options: readonly DeclaredOption[], words: readonly string[], upToWord = false): SplitWords {
  const split = read(options, words, upToWord)
  const taken = split.given.flatMap(({ text }) => (text?.startsWith('-') && isOption(options, text) ? [text] : []))
  if (taken.length === 0) return split
  // The same text may be the value behind a =, or an operand.
  for (const [at, next] of words.entries()) {
    const option = taken.includes(next) ? read(options, words.slice(0, at), upToWord).awaiting : undefined
    if (option && !option.optional)
      return { ...splitWords(options, words.toSpliced(at - 1, 1), upToWord), empty: { option, next } }
  }
  return split
}

/** Also `--name=…`, `-ojson` and `-qn`; of a word such as `-none` only if `-o` could have that value. */
function isOption(options: readonly DeclaredOption[], word: string): boolean {
  const [name] = word.split('=')
  if (word === '--' || options.some(option => option.name === name || option.short === name)) return true
  const { given, operands, unknown } = read(options, [word], false)
  if (operands.length > 0 || unknown.length > 0) return false
  return given.every(({ option: { kind }, text }) => text === undefined || !('problem' in kind.parse(text)))
}

function read(options: readonly DeclaredOption[], words: readonly string[], upToWord: boolean): SplitWords {
  if (upToWord && !words[0]?.startsWith('-')) return { given: [], operands: words, unknown: [], awaiting: undefined }
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
    return { ...read(options, words.slice(0, -1), upToWord), awaiting: lastOption(options, words.at(-1) ?? '') }
  }
}

function flagsOf({ name, short, value, optional }: DeclaredOption): string {
  const names = short ? `${short}, ${name}` : name
  if (value === undefined) return names
  return optional ? `${names} [value]` : `${names} <value>`
}

/** For `-o=json` commander returns the value `=json`. */
function textOf({ short, value }: DeclaredOption, text: string | null | undefined): string | undefined {
  if (value === undefined || text === null) return undefined
  return short ? text?.replace(/^=/, '') : text
}

/** The option at the end of a last word such as `--output`, `-o` or `-qo`. */
function lastOption(options: readonly DeclaredOption[], word: string): DeclaredOption | undefined {
  return options.find(({ name, short }) => (word.startsWith('--') ? word === name : short === `-${word.slice(-1)}`))
}
