/** From the arguments and options of a change to the source of its targets. */
import { isGiven, optionName } from '../../cli/options.ts'
import { UsageError } from '../../errors.ts'
import type { PersonFilter } from '../../filters/person-filter.ts'
import { type CollectionSpec, collectionOf, type TargetIds } from '../../operations/collections.ts'
import type { ListFile, TargetSource } from '../../targets/source.ts'
import { checkId, type OtherNames } from '../../values/ids.ts'
import { personNames } from '../persons/find-person.ts'
import type { BulkOptions } from './bulk-options.ts'

const list = '--from FILE, or --from - for stdin'

const argumentNames: Readonly<Record<CollectionSpec['name'], OtherNames>> = {
  persons: { ...personNames, list },
  event_definitions: { text: 'a name use --by-name', list },
  plugins: { list },
  projects: { list },
}

/** `options` has a key for each option of the command. Throws `UsageError` for no source or several, and for an invalid id. */
export function sourceOf(kind: TargetIds, ids: readonly string[], options: BulkOptions): TargetSource {
  refuseUnclearSource(ids, options)
  for (const id of ids) checkId(kind, id, argumentNames[collectionOf(kind)])
  refuseUseless(options)
  return givenSource(ids, options)
}

function givenSource(ids: readonly string[], options: BulkOptions): TargetSource {
  if (ids.length > 0) return { kind: 'typed', ids }
  const { byName = [], rows, types = [], from, emailsFrom, distinctIdsFrom, requireAll, onSeveral } = options
  if (byName.length > 0) return { kind: 'definitions', names: byName }
  if (rows !== undefined) return { kind: 'rows', list: listFile(rows, options), types }
  if (from !== undefined) return { kind: 'file', list: listFile(from, options) }
  if (emailsFrom !== undefined) return { kind: 'persons', by: 'email', list: listFile(emailsFrom, options) }
  if (distinctIdsFrom !== undefined) {
    return { kind: 'persons', by: 'distinctId', list: listFile(distinctIdsFrom, options) }
  }
  const filter = personFilter(options)
  const { search, email, distinctId, where } = filter
  const name = email ?? distinctId
  const isAlone = (email === undefined || distinctId === undefined) && search === undefined && where.length === 0
  if (name === undefined || !isAlone) {
    if (requireAll || onSeveral !== undefined) throw needsList(requireAll ? 'requireAll' : 'onSeveral')
    return { kind: 'filter', filter }
  }
  const list = { name, unmatched: undefined, requireAll, allowMultiple: onSeveral !== undefined }
  return { kind: 'persons', by: email === undefined ? 'distinctId' : 'email', list }
}

function listFile(file: string, { column, unmatched, requireAll, onSeveral }: BulkOptions): ListFile {
  return { file, column, unmatched, requireAll, allowMultiple: onSeveral !== undefined }
}

type GivenFilters = Pick<BulkOptions, 'search' | 'email' | 'distinctId' | 'property' | 'where'>

export function personFilter({ search, email, distinctId, property = [], where = [] }: GivenFilters): PersonFilter {
  return { search, email, distinctId, where: [...property, ...where] }
}

/** Together they are one source. */
const filters = ['search', 'where', 'email', 'distinctId', 'property'] as const

const sources = ['byName', 'from', 'rows', 'emailsFrom', 'distinctIdsFrom', 'all', ...filters] as const

function refuseUnclearSource(ids: readonly string[], options: BulkOptions): void {
  const given = sources.filter(key => isGiven(options[key]))
  const kinds = new Set(given.map(key => (filters.some(one => one === key) ? 'filters' : key)))
  if (kinds.size + Number(ids.length > 0) === 1) return
  const ways = sources.filter(key => key in options).map(optionName)
  const hint = `Use ids, or ${ways.slice(0, -1).join(', ')} or ${ways.at(-1)}`
  if (given.length + ids.length === 0) throw new UsageError('No targets given', { hint })
  const names = [...(ids.length > 0 ? ['ids'] : []), ...given.map(optionName)]
  throw new UsageError(`Targets must come from one source, not from ${names.join(' and ')}`, {
    hint: 'Use one of them',
  })
}

/** Options, and those of which each needs one. */
const needed: readonly (readonly [options: readonly (keyof BulkOptions)[], by: readonly (keyof BulkOptions)[]])[] = [
  [
    ['requireAll', 'onSeveral'],
    ['emailsFrom', 'distinctIdsFrom', 'email', 'distinctId', 'rows'],
  ],
  [['unmatched'], ['from', 'emailsFrom', 'distinctIdsFrom', 'rows']],
  [['column'], ['from', 'emailsFrom', 'distinctIdsFrom']],
  [['types'], ['rows']],
]

/** Throws `UsageError` for an option that has no effect. */
export function refuseUseless(options: BulkOptions): void {
  for (const [names, others] of needed) {
    const name = names.find(key => isGiven(options[key]))
    if (name === undefined || others.some(key => isGiven(options[key]))) continue
    const ways = others.filter(key => key in options).map(optionName)
    throw new UsageError(`${optionName(name)} needs ${ways.join(' or ')}`, { hint: 'Remove it' })
  }
}

/** Beside another filter, an email or a distinct id is a filter too, and no list. */
function needsList(option: 'requireAll' | 'onSeveral'): UsageError {
  return new UsageError(`${optionName(option)} needs a list, or --email or --distinct-id alone`, { hint: 'Remove it' })
}
