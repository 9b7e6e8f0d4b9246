import { UsageError } from '../../errors.ts'
import type { SettingName, Values } from '../../profiles/settings.ts'
import { inputFile, type Kind } from '../../values/kinds.ts'
import { type Command, splitExample } from '../command.ts'
import type { OptionSpec } from '../options.ts'
import type { CommandLine } from './command-line.ts'
import { ownOptions } from './declared-options.ts'
import type { GivenOption } from './lexer.ts'

export interface ParsedCommand {
  readonly args: Readonly<Record<string, unknown>>
  readonly options: Readonly<Record<string, unknown>>
  readonly settings: Values
}

/** Throws `UsageError` for anything that the command does not accept. */
export function parse({ words, given, args }: CommandLine, command: Command): ParsedCommand {
  refuseSecondValue(given)
  return {
    options: Object.fromEntries(
      Object.entries(command.options).map(([key, spec]) => [
        key,
        optionValue(
          spec,
          given.filter(one => setsOption(one, key)),
        ),
      ]),
    ),
    // The kind of each setting parsed its value.
    settings: Object.fromEntries(given.flatMap(settingValue)) as Values,
    args: argumentValues(words, command, args, given.some(isText)),
  }
}

export function checkEnvelope({ envelope }: ParsedCommand['options'], { output }: Values): void {
  if (!envelope || output === 'json') return
  throw new UsageError('--envelope needs -o json', { hint: 'Add -o json, or leave --envelope out' })
}

function refuseSecondValue(given: readonly GivenOption[]): void {
  const firsts = new Map<string, GivenOption>()
  for (const one of given) {
    const { name, once, sets } = one.option
    if (!once || !('key' in sets)) continue
    const first = firsts.get(sets.key) ?? one
    firsts.set(sets.key, first)
    if (first.option.name !== name) {
      throw new UsageError(`${first.option.name} and ${name} cannot be combined`, { hint: 'Leave one of them out' })
    }
    if (first.text !== one.text) throw new UsageError(`${name} was given twice`, { hint: 'Give it once' })
  }
}

function isText({ option: { sets, kind }, text }: GivenOption): boolean {
  return 'key' in sets && kind.name === 'string' && text !== undefined
}

function setsOption({ option: { sets } }: GivenOption, key: string): boolean {
  return 'key' in sets && sets.key === key
}

function optionValue(spec: OptionSpec, given: readonly GivenOption[]): unknown {
  const last = given.at(-1)
  if (spec.form === 'switch') return last !== undefined
  if (spec.form === 'toggle') return last && !('negated' in last.option.sets)
  const values = given.map(({ option, text }) => readValue(option.name, spec.kind, text ?? ''))
  if (spec.form === 'repeated') return values
  return spec.counts === 'smallest' && values.length > 0 ? Math.min(...values.map(Number)) : values.at(-1)
}

/** A switch sets its row to true, even `--no-header`, whose row is `noHeader`. */
function settingValue({ option: { name, kind, value, sets }, text }: GivenOption): [SettingName, unknown][] {
  if (!('setting' in sets)) return []
  if (value === undefined) return [[sets.setting, true]]
  return text === undefined ? [] : [[sets.setting, readValue(name, kind, text)]]
}

function readValue(option: string, kind: Kind<unknown>, text: string): unknown {
  const parsed = kind.parse(text)
  if ('problem' in parsed) throw new UsageError(`${option}: ${parsed.problem}`, { hint: parsed.hint })
  return parsed.value
}

function argumentValues(words: readonly string[], command: Command, args: readonly string[], hasTexts: boolean) {
  const { args: specs, examples } = command
  const rows = Object.entries(specs)
  const missing = rows.find(([, { form }], i) => form === 'required' && args[i] === undefined)?.[1]
  rows.forEach(([, { form, check }], i) => {
    if (check) for (const word of args.slice(i, form === 'many' ? undefined : i + 1)) check(word)
  })
  if (missing)
    throw new UsageError(`${missing.value} is missing`, {
      hint: `Give it as in: analytics ${splitExample(examples[0] ?? '').line}`,
    })
  const takesMany = rows.at(-1)?.[1].form === 'many'
  if (!takesMany && args.length > rows.length) throw tooMany(words, rows.length, args, command, hasTexts)
  return Object.fromEntries(rows.map(([name, { form }], i) => [name, form === 'many' ? args.slice(i) : args[i]]))
}

/** Does not repeat a word that may be a key. */
function tooMany(
  words: readonly string[],
  most: number,
  args: readonly string[],
  command: Command,
  hasTexts: boolean,
): UsageError {
  const path = ['analytics', ...words].join(' ')
  const takes = most === 0 ? 'no arguments' : most === 1 ? '1 argument' : `${most} arguments`
  const given = args.length === 1 ? '1 was given' : `${args.length} were given`
  return new UsageError(`${path} takes ${takes}, and ${given}`, { hint: hintFor(path, args, command, hasTexts) })
}

/** In other tools, `-n 5` shows five rows; views take parameters with --param. */
function hintFor(path: string, args: readonly string[], command: Command, hasTexts: boolean): string {
  const { options, examples } = command
  const [example = ''] = examples
  if (example.includes(' --param ')) return `Give it as in: analytics ${splitExample(example).line}`
  const rows = 'limit' in options ? args.find(word => /^\d+$/.test(word)) : undefined
  if (rows !== undefined) return `Did you mean --limit ${rows}?`
  const file = args.findLast(word => /^[\w./-]+\.(json|ndjson|csv|txt|ya?ml)$/.test(word))
  const takesFile = ownOptions(command).find(({ kind }) => kind === inputFile)
  if (file !== undefined && takesFile) return `Did you mean ${takesFile.short ?? takesFile.name} ${file}?`
  if (hasTexts) return `A value with blanks needs quotes around it; see ${path} --help`
  return 'search' in options ? `To find by a text use --search TEXT; see ${path} --help` : `See ${path} --help`
}
