/** The options of a command that changes objects: which targets, how many at most, and how they are worked on. */
import { filters } from '../../cli/filters.ts'
import { flag, manyArguments, type OptionsOf, once, option, repeated, smallest } from '../../cli/options.ts'
import { filterKind } from '../../filters/filter.ts'
import { duration } from '../../values/duration.ts'
import { atLeast, between, day, oneOf, text } from '../../values/kinds.ts'

const count = atLeast(0)

export const ids = manyArguments('ID', 'ids of the targets; or give them by an option below')

export const many = {
  from: once(text, 'FILE', 'ids from a file, or - for stdin: one per line, or NDJSON or CSV with id'),
  where: repeated(filterKind, 'FILTER', 'by any field: field=value != ~ > < field !field, such as last_seen_at<-90d'),
  expect: option(count, 'N', 'refuse unless there are exactly N targets'),
  max: smallest(count, 'N', 'refuse if there are more than N targets'),
  concurrency: option(between(1, 64), 'N', 'requests at once, at most 64 (8)'),
  maxFailures: option(count, 'N', 'stop after N failures'),
  backup: option(text, 'FILE', 'append each full record to this file first'),
  maxDuration: option(duration, 'DURATION', 'begin nothing new after that, such as 5h, and say how to go on'),
  receipt: option(text, 'FILE', 'write what was done to this file, for the ticket'),
  reason: option(text, 'TEXT', 'why, for the receipt'),
  requestedBy: option(text, 'TEXT', 'who asked for it, for the receipt'),
  plan: option(text, 'FILE', 'change nothing: write what would be done to this file, for jobs run'),
  received: option(day, 'DATE', 'when that was asked for, for the receipt: it says what is due a month later'),
}

export const canary = {
  canary: option(count, 'N', 'delete N, check that they are gone, then go on'),
}

const { search, email, distinctId, property } = filters

export const ofPersons = {
  distinctIdsFrom: once(text, 'FILE', 'persons with the distinct ids in a file, or - for stdin'),
  emailsFrom: once(text, 'FILE', 'persons with the e-mails in a file, or - for stdin'),
  column: option(text, 'NAME', 'the column of such a file, where it is not distinct_id or email'),
  unmatched: option(text, 'FILE', 'write the lines without a target to this file'),
  requireAll: flag('refuse unless each line has a target'),
  onSeveral: option(oneOf('all', 'skip'), 'WAY', 'where several persons have one e-mail: all or skip; else refuse'),
  search,
  email,
  distinctId,
  property,
  all: flag('every person of the project'),
}

/** Targets with their own values, for updates. */
export const ofRows = {
  rows: once(text, 'FILE', 'ids with the values to set, as NDJSON or CSV, or - for stdin'),
  types: option(text, 'KEY=TYPE,…', 'how columns of --rows are read: number, boolean, json or text'),
}

export const ofEventDefinitions = {
  byName: repeated(text, 'NAME', 'the event definition with exactly this name; may be repeated'),
}

export type TargetOptions = Partial<
  OptionsOf<typeof many> &
    OptionsOf<typeof canary> &
    OptionsOf<typeof ofPersons> &
    OptionsOf<typeof ofEventDefinitions> &
    OptionsOf<typeof ofRows>
>

/** Only the names of options and their numbers: text could be personal. */
export function recordedOptions(options: Readonly<Record<string, unknown>>): Record<string, boolean | number | '…'> {
  return Object.fromEntries(
    Object.entries(options).flatMap(([name, value]): [string, boolean | number | '…'][] => {
      if (value === undefined || value === false || (Array.isArray(value) && value.length === 0)) return []
      return [[name, value === true || (typeof value === 'number' && name in { ...many, ...canary }) ? value : '…']]
    }),
  )
}
