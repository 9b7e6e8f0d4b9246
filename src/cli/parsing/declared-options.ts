import { type SettingName, settingRows } from '../../profiles/settings.ts'
import { boolean, type Kind } from '../../values/kinds.ts'
import type { Command } from '../command.ts'
import { type OptionSpec, optionName } from '../options.ts'

export interface DeclaredOption {
  readonly name: `--${string}`
  readonly short?: `-${string}` | undefined
  /** Name of the value in help; undefined for a switch. */
  readonly value?: string | undefined
  readonly kind: Kind<unknown>
  readonly optional?: boolean | undefined
  readonly repeatable?: boolean
  /** A different second value and the opposite option are refused. */
  readonly once?: boolean
  readonly summary: string
  /** A setting, an option of the command, or the request for help or the version. */
  readonly sets:
    | { readonly setting: SettingName }
    | { readonly key: string; readonly spec: OptionSpec; readonly negated?: true }
    | { readonly asks: 'help' | 'version' }
}

const settingOptions: readonly DeclaredOption[] = settingRows.flatMap(
  ([setting, { option, short, value, kind, optional, summary }]) =>
    option ? [{ name: option, short, value, kind, optional, summary, sets: { setting } }] : [],
)

export const everywhere: readonly DeclaredOption[] = [
  ...settingOptions,
  { name: '--help', short: '-h', kind: boolean, summary: 'this text', sets: { asks: 'help' } },
  { name: '--version', short: '-V', kind: boolean, summary: 'the version', sets: { asks: 'version' } },
]

export function ownOptions({ options }: Command): readonly DeclaredOption[] {
  return Object.entries(options).flatMap(([key, spec]): DeclaredOption[] => {
    const { form, short, kind, summary } = spec
    const value = form === 'value' || form === 'repeated' ? spec.value : undefined
    const row = {
      name: optionName(key),
      short,
      value,
      kind,
      summary,
      repeatable: form === 'repeated',
      once: form === 'toggle' || (form === 'value' && spec.counts === undefined),
      sets: { key, spec },
    }
    if (form !== 'toggle') return [row]
    return [row, { ...row, name: oppositeOf(row.name), summary: 'the opposite', sets: { key, spec, negated: true } }]
  })
}

/** `--anonymize-ips` → `--no-anonymize-ips` */
export function oppositeOf(name: `--${string}`): `--${string}` {
  return `--no-${name.slice(2)}`
}
