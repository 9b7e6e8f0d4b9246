/** Describes the command tree as data, for docs, manual pages and other programs. */

import { type Command, programSummary, type Tree } from '../../cli/command.ts'
import { isBulk, type OptionSpec, optionName } from '../../cli/options.ts'
import { type Setting, settingRows } from '../../config/settings.ts'
import { exits, exitsOfCalls } from '../../errors.ts'

interface Described {
  /** Empty for the program itself, whose options every command takes. */
  readonly words: string
  readonly summary: string
  readonly details: string | null
  readonly arguments: readonly { readonly name: string; readonly form: string; readonly summary: string }[]
  readonly options: readonly DescribedOption[]
  readonly endpoints: readonly { readonly method: string; readonly path: string }[]
  readonly examples: readonly string[]
  readonly exits: readonly number[]
}

interface DescribedOption {
  readonly name: string
  readonly short: string | null
  readonly type: string
  /** Name of the value in help; null for a switch. */
  readonly value: string | null
  readonly choices: readonly string[] | null
  readonly negatable: boolean
  readonly repeatable: boolean
  readonly summary: string
}

/** The program itself, then its commands. */
export async function describeProgram(tree: Tree): Promise<readonly [Described, ...Described[]]> {
  const commands = Object.entries(tree).flatMap(([word, node]) =>
    typeof node === 'function'
      ? [[word, node] as const]
      : Object.entries(node.commands).map(([verb, load]) => [`${word} ${verb}`, load] as const),
  )
  const program = {
    words: '',
    summary: programSummary,
    details: null,
    arguments: [],
    options: settingRows.flatMap(([, setting]) =>
      setting.option ? [row(setting.option, { ...setting, negatable: false, repeatable: false })] : [],
    ),
    endpoints: [],
    examples: [],
    exits: exits.map(({ code }) => code),
  }
  return [program, ...(await Promise.all(commands.map(async ([words, load]) => describe(words, await load()))))]
}

/** Conditions under which a command can end with these codes without declaring them. */
const limitedExits: Readonly<Record<number, (command: Command) => boolean>> = {
  ...Object.fromEntries(exitsOfCalls.map(code => [code, ({ calls }: Command) => calls.length > 0])),
  8: ({ options }) => isBulk(options),
  9: () => false,
}

function describe(words: string, command: Command): Described {
  const { summary, details, args, options, calls, examples } = command
  return {
    words,
    summary,
    details: details ?? null,
    arguments: Object.values(args).map(({ value, form, summary }) => ({ name: value, form, summary })),
    options: Object.entries(options).map(own),
    endpoints: calls.map(({ method, path }) => ({ method, path })),
    examples: examples.map(line => `analytics ${line}`),
    exits: exits
      .map(({ code }) => code)
      .filter(code => command.exits?.includes(code) || (limitedExits[code]?.(command) ?? true)),
  }
}

function own([name, { form, ...spec }]: [string, OptionSpec]): DescribedOption {
  return row(optionName(name), {
    ...spec,
    negatable: form === 'toggle',
    repeatable: form === 'repeated',
  })
}

interface Row extends Pick<Setting, 'short' | 'kind' | 'value' | 'summary'> {
  readonly negatable: boolean
  readonly repeatable: boolean
}

function row(name: string, { short, kind, value, negatable, repeatable, summary }: Row): DescribedOption {
  return {
    name,
    short: short ?? null,
    type: kind.name,
    choices: kind.choices ?? null,
    summary,
    value: value || null,
    negatable,
    repeatable,
  }
}
