/** The whole command tree as data, from the declarations that are parsed: for completion, docs and other programs. */
import { exits } from '../errors.ts'
import { settingRows } from '../profiles/settings.ts'
import type { Kind } from '../values/kinds.ts'
import type { Command } from './command.ts'
import { optionName } from './options.ts'
import type { Tree } from './tree.ts'

export interface Described {
  /** `persons list` */
  readonly words: string
  readonly summary: string
  readonly details: string | null
  readonly arguments: readonly { readonly name: string; readonly form: string; readonly summary: string }[]
  readonly options: readonly DescribedOption[]
  readonly endpoints: readonly { readonly method: string; readonly path: string }[]
  readonly exits: readonly number[]
}

interface DescribedOption {
  readonly name: string
  readonly short: string | null
  readonly type: string
  readonly choices: readonly string[] | null
  readonly repeatable: boolean
  readonly everywhere: boolean
  readonly summary: string
}

export async function describeTree(tree: Tree): Promise<readonly Described[]> {
  const commands = Object.entries(tree).flatMap(([word, node]) =>
    typeof node === 'function'
      ? [[word, node] as const]
      : Object.entries(node.commands).map(([verb, load]) => [`${word} ${verb}`, load] as const),
  )
  return Promise.all(commands.map(async ([words, load]) => describe(words, await load())))
}

function describe(words: string, { summary, details, args, options, calls }: Command): Described {
  return {
    words,
    summary,
    details: details ?? null,
    arguments: Object.values(args).map(({ value, form, summary }) => ({ name: value, form, summary })),
    options: [
      ...Object.entries(options).map(([name, spec]) => ({
        ...row(optionName(name), spec.short, spec.kind, spec.summary),
        repeatable: spec.form === 'repeated',
        everywhere: false,
      })),
      ...settingRows.flatMap(([, setting]) =>
        setting.option
          ? [
              {
                ...row(setting.option, setting.short, setting.kind, setting.summary),
                repeatable: false,
                everywhere: true,
              },
            ]
          : [],
      ),
    ],
    endpoints: calls.map(({ method, path }) => ({ method, path })),
    exits: exits.map(({ code }) => code).filter(code => calls.length > 0 || [0, 1, 2].includes(code)),
  }
}

function row(name: string, short: string | undefined, kind: Kind<unknown>, summary: string) {
  return { name, short: short ?? null, type: kind.name, choices: kind.choices ?? null, summary }
}
