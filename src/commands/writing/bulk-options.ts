import { manyArguments } from '../../cli/arguments.ts'
import { flag, inSection, type OptionsOf, option, repeated, replaceable, smallest } from '../../cli/options.ts'
import { pathFilter } from '../../filters/filter.ts'
import { duration } from '../../values/duration.ts'
import { atLeast, between, day, inputFile, name, newFile, oneOf, text } from '../../values/kinds.ts'
import { filters } from '../persons/filters.ts'

const count = atLeast(0)

const column = replaceable(text, 'NAME', 'the column of that file, if it has another name')

const eachLine = {
  unmatched: option(newFile, 'FILE', 'write the lines without a target to this file'),
  requireAll: flag('refuse unless each line has a target'),
}

const personFiles = {
  distinctIdsFrom: option(inputFile, 'FILE', 'persons with the distinct ids in a file (- is stdin)'),
  emailsFrom: option(inputFile, 'FILE', 'persons with the e-mails in a file (- is stdin)'),
}

export const nameLists = inSection('Lists', {
  ...eachLine,
  onSeveral: replaceable(oneOf('all', 'skip'), 'WAY', 'where a line names several persons: all or skip; else refuse'),
})

/** For a command that only reads. */
export const listedPersons = inSection('Lists', { ...personFiles, column, ...eachLine })

export const guards = inSection('Guards', {
  expect: option(count, 'N', 'refuse unless there are exactly N targets'),
  max: smallest(count, 'N', 'refuse if there are more than N targets'),
  plan: option(newFile, 'FILE', 'change nothing: write what would be done to this file, for jobs run'),
})

export const canary = inSection('Guards', {
  canary: option(count, 'N', 'delete N that are still there, check that they are gone, then go on'),
})

export const runLimits = inSection('Run', {
  concurrency: replaceable(between(1, 64), 'N', 'requests at once, at most 64 (8)'),
  maxFailures: replaceable(count, 'N', 'stop after N failures'),
  maxDuration: replaceable(duration, 'DURATION', 'begin nothing new after that, such as 5h, and say how to go on'),
})

export const keptFiles = inSection('Records', {
  backup: option(newFile, 'FILE', 'append each full record to this file first'),
  receipt: option(newFile, 'FILE', 'write what was done to this file, for the ticket'),
})

export const reasonOptions = inSection('Records', {
  reason: replaceable(text, 'TEXT', 'why, for the receipt'),
  requestedBy: replaceable(text, 'TEXT', 'who asked for it, for the receipt'),
  received: option(day, 'DATE', 'date of that request, for the receipt, which adds the due date a month later'),
})

export const targetIds = manyArguments('ID', 'ids of the targets; or give them by an option below')

export const bulkOptions = {
  ...inSection('Targets', {
    from: option(inputFile, 'FILE', 'ids in a file (- is stdin): one per line, NDJSON or CSV'),
    column,
    where: repeated(pathFilter, 'FILTER', 'by a field, such as last_seen_at<-90d'),
    all: flag('all that the service lists; a delete needs --expect N'),
  }),
  ...guards,
  ...runLimits,
  ...keptFiles,
  ...reasonOptions,
}

export const jobOptions = { ...runLimits, ...keptFiles }

const { search, email, distinctId, property } = filters

export const personTargets = {
  ...inSection('Targets', { ...personFiles, search, email, distinctId, property }),
  ...nameLists,
}

export const rowTargets = {
  rows: option(inputFile, 'FILE', 'ids with values to set, as NDJSON or CSV (- is stdin)'),
  types: repeated(text, 'KEY=TYPE,…', 'column types: number, boolean, json or text'),
}

export const nameTargets = inSection('Targets', {
  byName: repeated(name, 'NAME', 'the event definition with exactly this name'),
})

export type BulkOptions = Partial<
  OptionsOf<typeof bulkOptions> &
    OptionsOf<typeof canary> &
    OptionsOf<typeof personTargets> &
    OptionsOf<typeof nameTargets> &
    OptionsOf<typeof rowTargets>
>

/** Includes the command's own options, because a job stores their names. */
export type GivenOptions = BulkOptions & Readonly<Record<string, unknown>>
