import { isGiven, optionName } from '../../cli/options.ts'
import { UsageError } from '../../errors.ts'
import type { PersonFilter } from '../../filters/person-filter.ts'
import { type CollectionSpec, collectionOf, type TargetIds } from '../../operations/collections.ts'
import type { ListFile, TargetSource } from '../../targets/source.ts'
import { checkId, type OtherNames } from '../../values/ids.ts'
import type { BulkOptions } from './bulk-options.ts'

const list = '--from FILE, or --from - for stdin'

const argumentNames: Readonly<Record<CollectionSpec['name'], OtherNames>> = {
  persons: { email: '--email', text: 'a distinct id use --distinct-id', list },
  event_definitions: { text: 'a name use --by-name', list },
  plugins: { list },
  projects: { list },
}

/** `options` has a key for each option of the command. Throws `UsageError` for no source or several, and for an invalid id. */
export function targetSource(kind: TargetIds, ids: readonly string[], options: BulkOptions): TargetSource {
  requireOneSource(ids, options)
  for (const id of ids) checkId(kind, id, argumentNames[collectionOf(kind)])
  refuseWithoutEffect(options)
  return chosenSource(ids, options)
}

function chosenSource(ids: readonly string[], options: BulkOptions): TargetSource {
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

type FilterOptions = Pick<BulkOptions, 'search' | 'email' | 'distinctId' | 'property' | 'where'>

export function personFilter({ search, email, distinctId, property = [], where = [] }: FilterOptions): PersonFilter {
  return { search, email, distinctId, where: [...property, ...where] }
}

/** Together they are one source. */
const filters = ['search', 'where', 'email', 'distinctId', 'property'] as const

const sources = ['byName', 'from', 'rows', 'emailsFrom', 'distinctIdsFrom', 'all', ...filters] as const

function requireOneSource(ids: readonly string[], options: BulkOptions): void {
  const used = sources.filter(key => isGiven(options[key]))
  const kinds = new Set(used.map(key => (filters.some(one => one === key) ? 'filters' : key)))
  if (kinds.size + Number(ids.length > 0) === 1) return
  const names = sources.filter(key => key in options).map(optionName)
  const hint = `Use ids, or ${names.slice(0, -1).join(', ')} or ${names.at(-1)}`
  if (used.length + ids.length === 0) throw new UsageError('No targets given', { hint })
  const all = [...(ids.length > 0 ? ['ids'] : []), ...used.map(optionName)]
  throw new UsageError(`Targets must come from one source, not from ${all.join(' and ')}`, {
    hint: 'Use one of them',
  })
}

type OptionNames = readonly (keyof BulkOptions)[]

/** The first options need one of the second. */
const requirements: readonly (readonly [options: OptionNames, others: OptionNames])[] = [
  [
    ['requireAll', 'onSeveral'],
    ['emailsFrom', 'distinctIdsFrom', 'email', 'distinctId', 'rows'],
  ],
  [['unmatched'], ['from', 'emailsFrom', 'distinctIdsFrom', 'rows']],
  [['column'], ['from', 'emailsFrom', 'distinctIdsFrom']],
  [['types'], ['rows']],
]

/** Throws `UsageError` for an option that has no effect. */
export function refuseWithoutEffect(options: BulkOptions): void {
  for (const [names, others] of requirements) {
    const name = names.find(key => isGiven(options[key]))
    if (name === undefined || others.some(key => isGiven(options[key]))) continue
    const possible = others.filter(key => key in options).map(optionName)
    throw new UsageError(`${optionName(name)} needs ${possible.join(' or ')}`, { hint: 'Remove it' })
  }
}

/** Beside another filter, an email or a distinct id is a filter too, and no list. */
function needsList(option: 'requireAll' | 'onSeveral'): UsageError {
  return new UsageError(`${optionName(option)} needs a list, or --email or --distinct-id alone`, { hint: 'Remove it' })
}
