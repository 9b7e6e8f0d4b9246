import { manyArguments } from '../../cli/command.ts'
import { conflicting, flag, inSection, type OptionsOf, option, repeated } from '../../cli/options.ts'
import { pathFilter, propertyFilter } from '../../filters/filter.ts'
import { atLeast, between, filled, inputFile, newFile, oneOf, text } from '../../values/kinds.ts'

export const personFilters = {
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

export const listedPersons = { ...personFiles, column, unmatched }

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
