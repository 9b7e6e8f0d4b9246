/** Reads what was typed after a command's words, by its declaration and the settings. commander lives here alone. */
import { Command as Commander, CommanderError, Option } from 'commander'
import { UsageError } from '../errors.ts'
import { type Setting, type SettingName, settingRows } from '../profiles/settings.ts'
import type { Kind } from '../values/kinds.ts'
import type { Command } from './command.ts'
import { type OptionSpec, optionName } from './options.ts'

export interface Parsed {
  readonly args: Readonly<Record<string, unknown>>
  readonly options: Readonly<Record<string, unknown>>
  /** Settings that were typed. */
  readonly settings: Readonly<Partial<Record<SettingName, unknown>>>
}

/** Throws `UsageError` for anything that the command does not take, with what was probably meant. */
export function parse(words: readonly string[], command: Command, typed: readonly string[]): Parsed {
  const { args, options } = command
  const parser = new Commander(words.join(' ')).exitOverride().helpOption(false).allowExcessArguments(false)
  parser.configureOutput({ writeErr: () => undefined })
  for (const spec of Object.values(args)) {
    const more = spec.form === 'many' ? '...' : ''
    parser.argument(spec.form === 'required' ? `<${spec.value}>` : `[${spec.value}${more}]`)
  }
  for (const [name, spec] of Object.entries(options)) declare(parser, optionName(name), spec)
  for (const [, row] of settingRows) if (row.option) parser.addOption(fromSetting(row.option, row))

  try {
    parser.parse(checked(parser.options, typed), { from: 'user' })
  } catch (error) {
    throw error instanceof CommanderError ? usage(error, words) : error
  }
  const values = parser.opts<Record<string, unknown>>()
  return {
    args: Object.fromEntries(Object.keys(args).map((name, i) => [name, parser.processedArgs[i]])),
    options: Object.fromEntries(
      Object.entries(options).map(([name, spec]) => [name, values[attribute(optionName(name))] ?? absent[spec.form]()]),
    ),
    settings: Object.fromEntries(settingRows.flatMap(([name, row]) => typedSetting(name, row, values))),
  }
}

const absent = { value: () => undefined, toggle: () => undefined, switch: () => false, repeated: () => [] as const }

function declare(parser: Commander, long: `--${string}`, spec: OptionSpec): void {
  const takes = spec.form === 'value' || spec.form === 'repeated'
  const names = spec.short ? `${spec.short}, ${long}` : long
  const option = new Option(takes ? `${names} <${spec.value}>` : names)
  if (takes) {
    option.argParser((text, before: unknown) => {
      if (spec.once && before !== undefined) throw new UsageError(`${long} was given twice`, { hint: 'Give it once' })
      return read(long, spec.kind, text, spec.form, before)
    })
  }
  parser.addOption(option)
  if (spec.form === 'toggle') parser.addOption(new Option(`--no-${long.slice(2)}`))
}

function fromSetting(long: `--${string}`, row: Setting): Option {
  const flags = `${row.short ? `${row.short}, ` : ''}${long}${row.value ? ` <${row.value}>` : ''}`
  const option = new Option(flags)
  if (row.value) option.argParser(text => read(long, row.kind, text, 'value', undefined))
  return option
}

/**
 * The words, with `-o=json` as commander has it: `-ojson`. Throws `UsageError` for a switch given a value, as in
 * `--yes=false` or `--yes false`: the word behind it would become an id.
 */
function checked(options: readonly Option[], typed: readonly string[]): string[] {
  const words = [...typed]
  for (let i = 0; i < words.length && words[i] !== '--'; i++) {
    const [name = '', attached] = split(words[i] ?? '')
    const found = options.find(({ long, short }) => name === long || name === short)
    if (!found) continue
    if (found.required) {
      if (attached === undefined) i++
      else if (name === found.short && attached !== '') words[i] = name + attached
      continue
    }
    const value = attached ?? words[i + 1] ?? ''
    if (attached === undefined && !/^(true|false)$/i.test(value)) continue
    const opposite = options.find(({ long }) => long === `--no-${name.slice(2)}`)
    throw new UsageError(`${name} takes no value, and ${JSON.stringify(value)} was given`, {
      hint: `Give ${name} alone, or ${opposite ? `${opposite.long} for the opposite` : 'leave it out'}`,
    })
  }
  return words
}

function split(word: string): readonly [name: string, value?: string] {
  const at = word.startsWith('-') ? word.indexOf('=') : -1
  return at < 0 ? [word] : [word.slice(0, at), word.slice(at + 1)]
}

function read(long: string, kind: Kind<unknown>, text: string, form: OptionSpec['form'], before: unknown): unknown {
  const parsed = kind.parse(text)
  if ('problem' in parsed) throw new UsageError(`${long}: ${parsed.problem}`)
  if (form === 'repeated') return [...((before as unknown[] | undefined) ?? []), parsed.value]
  return parsed.value
}

/** `--no-header` is the row `noHeader`; commander keeps it as a false `header`. */
function typedSetting(name: SettingName, row: Setting, values: Record<string, unknown>): [SettingName, unknown][] {
  if (!row.option) return []
  if (!row.option.startsWith('--no-')) return values[name] === undefined ? [] : [[name, values[name]]]
  return values[attribute(row.option)] === false ? [[name, true]] : []
}

/** The name under which commander keeps an option's value. */
function attribute(long: string): string {
  return new Option(long).attributeName()
}

function usage(error: CommanderError, words: readonly string[]): UsageError {
  const [first = '', suggestion] = error.message.replace(/^error: /, '').split('\n')
  return new UsageError(first.charAt(0).toUpperCase() + first.slice(1), {
    hint: suggestion?.replace(/[()]/g, '') ?? `See analytics ${words.join(' ')} --help`,
  })
}
