/** The options of bulk changes, and which targets they choose. */
import {
  conflicting,
  flag,
  inSection,
  isGiven,
  manyArguments,
  type OptionsOf,
  option,
  optionName,
  repeated,
} from '../../cli/command.ts'
import { UsageError } from '../../errors.ts'
import { pathFilter, propertyFilter } from '../../filters/filter.ts'
import type { PersonFilter } from '../../filters/person-filter.ts'
import { type CollectionSpec, collectionOf, type TargetIds } from '../../operations/collections.ts'
import type { TargetSource } from '../../targets/source.ts'
import { checkId, type OtherNames } from '../../values/ids.ts'
import { atLeast, between, filled, inputFile, newFile, oneOf, text } from '../../values/kinds.ts'

const personFilters = {
  search: option(filled, 'TEXT', 'match part of a property, or a distinct id'),
  email: option(filled, 'EMAIL', 'match this email exactly'),
  distinctId: option(filled, 'ID', 'match this distinct id exactly'),
  property: repeated(propertyFilter, 'FILTER', 'short for --where properties.FILTER'),
}

const column = option(text, 'NAME', 'read this column of the file')

const unmatched = option(newFile, 'FILE', 'save the lines without a match as CSV')

const personFiles = {
  emailsFrom: conflicting(option(inputFile, 'FILE', 'look up the emails in a file (- is stdin)'), 'distinctIdsFrom'),
  distinctIdsFrom: option(inputFile, 'FILE', 'look up the distinct ids in a file (- is stdin)'),
  requireAll: flag('stop unless every line matches'),
}

export const listedPersons = { ...personFilters, ...personFiles, column, unmatched }

export const targetIds = manyArguments('ID', 'ids; or use an option under Targets')

export const targetIdsAndFields = manyArguments('ID', 'ids; KEY=VALUE is short for --set KEY=VALUE')

export const bulkOptions = {
  ...inSection('Targets', {
    from: option(inputFile, 'FILE', 'read ids: lines, JSON or CSV (- is stdin)'),
    column,
    unmatched,
    where: repeated(pathFilter, 'FILTER', "choose by a field, such as 'created_at<-90d'"),
    all: flag('choose all; a delete also needs --expect N'),
  }),
  ...inSection('Run', {
    expect: option(atLeast(0), 'N', 'stop unless exactly N match'),
    max: option(atLeast(0), 'N', 'stop if more than N match'),
    concurrency: option(between(1, 64), 'N', 'send up to N requests at once, at most 64 (8)'),
    maxFailures: option(atLeast(0), 'N', 'stop after N failures'),
    backup: option(newFile, 'FILE', 'save each record to this file before the change'),
    receipt: option(newFile, 'FILE', 'write the outcome of each target to this file'),
    reason: option(text, 'TEXT', 'record why, in the job and the receipt'),
  }),
}

export const personTargets = inSection('Targets', {
  ...personFilters,
  ...personFiles,
  onSeveral: option(oneOf('all'), 'all', 'use all persons that match a line'),
})

export const rowTargets = inSection('Targets', {
  rows: option(inputFile, 'FILE', 'read ids and values: JSON or CSV (- is stdin)'),
  types: repeated(text, 'KEY=TYPE', 'type of a column: number, boolean, json or text'),
})

export const nameTargets = inSection('Targets', {
  byName: repeated(filled, 'NAME', 'find the event definition with this name'),
})

export type BulkOptions = Partial<
  OptionsOf<typeof bulkOptions> &
    OptionsOf<typeof personTargets> &
    OptionsOf<typeof nameTargets> &
    OptionsOf<typeof rowTargets>
>

const otherNames: Readonly<Partial<Record<CollectionSpec['name'], OtherNames>>> = {
  persons: { email: '--email', text: 'a distinct id use --distinct-id' },
  event_definitions: { text: 'a name use --by-name' },
}

/** `options` has a key for each option of the command. Throws `UsageError` for no source or several, and for an invalid id. */
export function targetSource(kind: TargetIds, ids: readonly string[], options: BulkOptions): TargetSource {
  requireOneSource(ids, options)
  const names = { ...otherNames[collectionOf(kind)], list: '--from FILE, or --from - for stdin' }
  for (const id of ids) checkId(kind, id, names)
  const filter = personFilter(options)
  if (ids.length > 0) return { kind: 'typed', ids }
  const { byName = [], rows, types = [], from, emailsFrom, distinctIdsFrom, requireAll, onSeveral } = options
  if (byName.length > 0) return { kind: 'definitions', names: byName }
  const { column, unmatched } = options
  const list = { column, unmatched, requireAll, allowMultiple: onSeveral !== undefined }
  if (rows !== undefined) return { kind: 'rows', list: { ...list, file: rows }, types }
  if (from !== undefined) return { kind: 'file', list: { ...list, file: from } }
  if (emailsFrom !== undefined) return { kind: 'persons', by: 'email', list: { ...list, file: emailsFrom } }
  if (distinctIdsFrom !== undefined) {
    return { kind: 'persons', by: 'distinctId', list: { ...list, file: distinctIdsFrom } }
  }
  const { search, email, distinctId, where } = filter
  const name = email ?? distinctId
  const isAlone = (email === undefined || distinctId === undefined) && search === undefined && where.length === 0
  if (name === undefined || !isAlone) {
    // Beside another filter, an email or a distinct id is a filter too, and no list.
    const option = requireAll ? 'requireAll' : onSeveral && 'onSeveral'
    if (!option) return { kind: 'filter', filter }
    throw new UsageError(`${optionName(option)} needs a list, or --email or --distinct-id alone`, { hint: 'Remove it' })
  }
  return { kind: 'persons', by: email === undefined ? 'distinctId' : 'email', list: { ...list, name } }
}

/** Throws `UsageError` for an option that has no effect. */
export function personFilter(options: BulkOptions): PersonFilter {
  refuseWithoutEffect(options)
  const { search, email, distinctId, property = [], where = [] } = options
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

function refuseWithoutEffect(options: BulkOptions): void {
  for (const [names, others] of requirements) {
    const name = names.find(key => isGiven(options[key]))
    if (name === undefined || others.some(key => isGiven(options[key]))) continue
    const possible = others.filter(key => key in options).map(optionName)
    throw new UsageError(`${optionName(name)} needs ${possible.join(' or ')}`, { hint: 'Remove it' })
  }
}
