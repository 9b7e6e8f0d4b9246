import { manyArguments } from '../../cli/arguments.ts'
import { flag, inSection, type OptionsOf, option, repeated } from '../../cli/options.ts'
import { pathFilter } from '../../filters/filter.ts'
import { atLeast, between, filled, inputFile, newFile, oneOf, text } from '../../values/kinds.ts'
import { filters } from '../persons/filters.ts'

const count = atLeast(0)

const column = option(text, 'NAME', 'read this column of the file')

const unmatched = option(newFile, 'FILE', 'save the input lines without a match to a CSV file')

const requireAll = flag('stop unless every line matches')

const personFiles = {
  distinctIdsFrom: option(inputFile, 'FILE', 'look up the distinct ids in a file (- is stdin)'),
  emailsFrom: option(inputFile, 'FILE', 'look up the emails in a file (- is stdin)'),
}

const nameLists = inSection('Lists', {
  requireAll,
  onSeveral: option(oneOf('all'), 'all', 'if a line matches several persons, use all of them'),
})

export const listedPersons = inSection('Lists', { ...personFiles, column, unmatched, requireAll })

const guards = inSection('Guards', {
  expect: option(count, 'N', 'stop unless exactly N match'),
  max: option(count, 'N', 'stop if more than N match'),
})

const runLimits = inSection('Run', {
  concurrency: option(between(1, 64), 'N', 'send up to N requests at once, at most 64 (8)'),
  maxFailures: option(count, 'N', 'stop after N failures'),
})

const keptFiles = inSection('Records', {
  backup: option(newFile, 'FILE', 'save each record to this file before changing it'),
  receipt: option(newFile, 'FILE', 'write what was done to this file'),
})

const reasonOptions = inSection('Records', {
  reason: option(text, 'TEXT', 'record why, in the job and the receipt'),
})

export const targetIds = manyArguments('ID', 'ids; or use an option under Targets')

export const targetIdsAndFields = { ...targetIds, summary: `${targetIds.summary}. KEY=VALUE means --set KEY=VALUE` }

export const bulkOptions = {
  ...inSection('Targets', {
    from: option(inputFile, 'FILE', 'read ids from a file (- is stdin): lines, JSON or CSV'),
    column,
    unmatched,
    where: repeated(pathFilter, 'FILTER', "choose by a field, such as 'created_at<-90d'"),
    all: flag('choose all; a delete also needs --expect N'),
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
  rows: option(inputFile, 'FILE', 'read ids and their values from JSON or CSV (- is stdin)'),
  types: repeated(text, 'KEY=TYPE,…', 'set column types: number, boolean, json or text'),
}

export const nameTargets = inSection('Targets', {
  byName: repeated(filled, 'NAME', 'find the event definition with exactly this name'),
})

export type BulkOptions = Partial<
  OptionsOf<typeof bulkOptions> &
    OptionsOf<typeof personTargets> &
    OptionsOf<typeof nameTargets> &
    OptionsOf<typeof rowTargets>
>

/** Includes the command's own options, because a job stores their names. */
export type GivenOptions = BulkOptions & Readonly<Record<string, unknown>>
