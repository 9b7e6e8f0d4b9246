import { manyArguments } from '../../cli/arguments.ts'
import { flag, inSection, type OptionsOf, option, repeated } from '../../cli/options.ts'
import { pathFilter } from '../../filters/filter.ts'
import { atLeast, between, filled, inputFile, newFile, oneOf, text } from '../../values/kinds.ts'
import { filters } from '../persons/filters.ts'

const count = atLeast(0)

const column = option(text, 'NAME', 'the column of that file, if it has another name')

const unmatched = option(newFile, 'FILE', 'write the lines that nobody has, or that are no ids, to this file')

const requireAll = flag('refuse unless somebody has each line')

const personFiles = {
  distinctIdsFrom: option(inputFile, 'FILE', 'persons with the distinct ids in a file (- is stdin)'),
  emailsFrom: option(inputFile, 'FILE', 'persons with the e-mails in a file (- is stdin)'),
}

const nameLists = inSection('Lists', {
  requireAll,
  onSeveral: option(oneOf('all'), 'all', 'take all persons of a line that names several; else refuse'),
})

export const listedPersons = inSection('Lists', { ...personFiles, column, unmatched, requireAll })

const guards = inSection('Guards', {
  expect: option(count, 'N', 'refuse unless exactly N are chosen'),
  max: option(count, 'N', 'refuse if more than N are chosen'),
})

const runLimits = inSection('Run', {
  concurrency: option(between(1, 64), 'N', 'requests at once, at most 64 (8)'),
  maxFailures: option(count, 'N', 'stop after N failures'),
})

const keptFiles = inSection('Records', {
  backup: option(newFile, 'FILE', 'append each full record to this file first'),
  receipt: option(newFile, 'FILE', 'write what was done to this file, for the ticket'),
})

const reasonOptions = inSection('Records', {
  reason: option(text, 'TEXT', 'why, for the receipt'),
})

export const targetIds = manyArguments('ID', 'ids; or choose by an option below')

export const targetIdsAndFields = { ...targetIds, summary: `${targetIds.summary}. KEY=VALUE is --set KEY=VALUE` }

export const bulkOptions = {
  ...inSection('Targets', {
    from: option(inputFile, 'FILE', 'ids in a file (- is stdin): one per line, JSON or CSV'),
    column,
    unmatched,
    where: repeated(pathFilter, 'FILTER', "by a field, such as 'last_seen_at<-90d'"),
    all: flag('all that the service lists; a delete needs --expect N'),
  }),
  ...guards,
  ...runLimits,
  ...keptFiles,
  ...reasonOptions,
}

export const jobOptions = { ...runLimits, ...keptFiles }

export const undoOptions = { ...guards, ...runLimits, receipt: keptFiles.receipt, ...reasonOptions }

const { search, email, distinctId, property } = filters

export const personTargets = {
  ...inSection('Targets', { ...personFiles, search, email, distinctId, property }),
  ...nameLists,
}

export const rowTargets = {
  rows: option(inputFile, 'FILE', 'ids with values to set, as JSON or CSV (- is stdin)'),
  types: repeated(text, 'KEY=TYPE,…', 'column types: number, boolean, json or text'),
}

export const nameTargets = inSection('Targets', {
  byName: repeated(filled, 'NAME', 'the event definition with exactly this name'),
})

export type BulkOptions = Partial<
  OptionsOf<typeof bulkOptions> &
    OptionsOf<typeof personTargets> &
    OptionsOf<typeof nameTargets> &
    OptionsOf<typeof rowTargets>
>

/** Includes the command's own options, because a job stores their names. */
export type GivenOptions = BulkOptions & Readonly<Record<string, unknown>>
