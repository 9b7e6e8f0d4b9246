/** commander splits words into options, values and operands; no other file looks for options in words. */
import { Command as Commander, CommanderError, Option } from 'commander'
import type { DeclaredOption } from './declared-options.ts'

export interface GivenOption {
  readonly option: DeclaredOption
  /** Undefined for a switch and for an omitted optional value. */
  readonly text: string | undefined
}

export interface SplitWords {
  readonly given: readonly GivenOption[]
  readonly operands: readonly string[]
  /** The first unknown option and all words after it. */
  readonly unknown: readonly string[]
  readonly awaiting: DeclaredOption | undefined
  /** The first option followed by another one instead of its value: a shell drops an empty variable without quotes. */
  readonly empty?: { readonly option: DeclaredOption; readonly next: string } | undefined
}

/** `upToWord` stops at the first operand. An option that is followed by another one instead of a value is left out. */
export function splitWords(options: readonly DeclaredOption[], words: readonly string[], upToWord = false): SplitWords {
  const split = read(options, words, upToWord)
  const taken = split.given.flatMap(({ text }) => (text?.startsWith('-') && isOption(options, text) ? [text] : []))
  if (taken.length === 0) return split
  // The same text may also be an operand or a value after `=`.
  for (const [at, next] of words.entries()) {
    const option = taken.includes(next) ? read(options, words.slice(0, at), upToWord).awaiting : undefined
    if (option && !option.optional)
      return { ...splitWords(options, words.toSpliced(at - 1, 1), upToWord), empty: { option, next } }
  }
  return split
}

/** Also accepts `--name=…`, `-ojson` and `-qn`; a word such as `-none` only if `-o` could have that value. */
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

function textOf({ short, value }: DeclaredOption, text: string | null | undefined): string | undefined {
  if (value === undefined || text === null) return undefined
  return short ? text?.replace(/^=/, '') : text
}

/** Finds the option at the end of `--output`, `-o` or `-qo`. */
function lastOption(options: readonly DeclaredOption[], word: string): DeclaredOption | undefined {
  return options.find(({ name, short }) => (word.startsWith('--') ? word === name : short === `-${word.slice(-1)}`))
}
