/** Sources of targets; exactly one must be given. */
import type { BulkOptions } from '../../cli/bulk-options.ts'
import { optionName } from '../../cli/options.ts'
import { UsageError } from '../../errors.ts'
import { shellWord } from '../../text/shell-word.ts'

/** All filters together are one source. */
const sources = [
  ['byName'],
  ['from'],
  ['rows'],
  ['emailsFrom'],
  ['distinctIdsFrom'],
  ['search', 'where', 'email', 'distinctId', 'property'],
  ['all'],
] as const satisfies readonly (readonly (keyof BulkOptions)[])[]

export function givenSources(ids: readonly string[], options: BulkOptions): readonly string[] {
  const isGiven = (key: keyof BulkOptions) => {
    const value = options[key]
    return value !== undefined && value !== false && !(Array.isArray(value) && value.length === 0)
  }
  const given = sources.map(source => source.filter(isGiven).map(optionName).join(' '))
  return [...(ids.length > 0 ? ['ids'] : []), ...given.filter(names => names !== '')]
}

/** The option that gave a list of targets, as it was typed, for a selection without filters. */
export function listWords({ byName = [], from, rows, emailsFrom, distinctIdsFrom }: BulkOptions): string {
  const given = [
    ...byName.map(name => ['byName', name] as const),
    ...Object.entries({ from, rows, emailsFrom, distinctIdsFrom }),
  ]
  const words = given.flatMap(([key, value]) => (value === undefined ? [] : [`${optionName(key)} ${shellWord(value)}`]))
  return words.join(' ') || 'ids'
}

/** `options` has a key for each option of the command. Throws `UsageError` unless exactly one source is given. */
export function refuseUnclearSource(ids: readonly string[], options: BulkOptions): void {
  const given = givenSources(ids, options)
  if (given.length === 1) return
  const taken = sources.map(source => source.filter(key => key in options).map(optionName))
  const ways = taken.flatMap(([first, second]) =>
    second === undefined ? (first ?? []) : [`a filter such as ${first} or ${second}`],
  )
  const choice = `${['ids', ...ways.slice(0, -1)].join(', ')}, or ${ways.at(-1)}`
  if (given.length === 0) throw new UsageError('No targets given', { hint: `Give ${choice}` })
  throw new UsageError(`Targets must come from one source, not from ${given.join(' and ')}`, {
    hint: `Give one of ${choice}`,
  })
}
