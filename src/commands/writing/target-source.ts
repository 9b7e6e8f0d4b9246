/** Which targets the options of a change name. */

import { optionName } from '../../cli/options.ts'
import { UsageError } from '../../errors.ts'
import { collectionOf, type TargetCollection, type TargetIds } from '../../operations/collections.ts'
import type { ListFile, TargetSource } from '../../targets/source.ts'
import { checkId, type OtherNames } from '../../values/ids.ts'
import { checkFilters } from '../persons/filters.ts'
import { personNames } from '../persons/find-person.ts'
import type { BulkOptions } from './bulk-options.ts'

const list = '--from FILE, or --from - for stdin'

const argumentNames: Readonly<Record<TargetCollection, OtherNames>> = {
  persons: { ...personNames, list },
  event_definitions: { text: 'a name use --by-name', list },
  plugins: { list },
  projects: { list },
}

/** Throws `UsageError` for no source or several, and for what is no id. */
export function sourceOf(kind: TargetIds, ids: readonly string[], options: BulkOptions): TargetSource {
  refuseUnclearSource(ids, options)
  refuseListOptions(options)
  for (const id of ids) checkId(kind, id, argumentNames[collectionOf(kind)])
  if (ids.length > 0) return { kind: 'typed', ids }
  const { byName = [], rows, types = [], from } = options
  if (byName.length > 0) return { kind: 'names', names: byName }
  if (rows !== undefined) return { kind: 'rows', list: listFile(rows, options), types }
  if (from !== undefined) return { kind: 'file', list: listFile(from, options) }
  const persons = personsOf(options)
  if (persons) return persons
  const { search, email, distinctId, property = [], where = [] } = options
  const filter = { search, email, distinctId, property, where }
  checkFilters(filter)
  return { kind: 'filter', filter }
}

function listFile(file: string, { column, unmatched, requireAll, onSeveral }: BulkOptions): ListFile {
  return { file, column, unmatched, requireAll, onSeveral }
}

export function personsOf(options: BulkOptions): Extract<TargetSource, { readonly kind: 'persons' }> | undefined {
  const { emailsFrom, distinctIdsFrom } = options
  if (emailsFrom !== undefined) return { kind: 'persons', by: 'email', list: listFile(emailsFrom, options) }
  if (distinctIdsFrom === undefined) return undefined
  return { kind: 'persons', by: 'distinctId', list: listFile(distinctIdsFrom, options) }
}

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

/** `options` has a key for each option of the command. */
function refuseUnclearSource(ids: readonly string[], options: BulkOptions): void {
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

const named = ['emailsFrom', 'distinctIdsFrom'] as const

/** The lists that an option is for. */
const listOptions = {
  column: ['from', ...named],
  unmatched: ['from', ...named, 'rows'],
  requireAll: [...named, 'rows'],
  onSeveral: [...named, 'rows'],
} as const satisfies { readonly [N in keyof BulkOptions]: readonly (keyof BulkOptions)[] }

/** `options` has a key for each option of the command. */
export function refuseListOptions(options: BulkOptions): void {
  for (const [name, lists] of Object.entries(listOptions)) {
    const isGiven = Boolean(options[name as keyof typeof listOptions])
    if (!isGiven || lists.some(list => options[list] !== undefined)) continue
    const taken = lists.filter(list => list in options).map(optionName)
    throw new UsageError(`${optionName(name)} needs ${taken.join(' or ')}`, { hint: 'Leave it out' })
  }
}
