/** What commands that change many objects have in common, beside their targets: limits, pace, and what is kept. */
import { duration } from '../values/duration.ts'
import { atLeast, between, day, newFile, oneOf, text } from '../values/kinds.ts'
import { flag, inSection, option, replaceable, smallest } from './options.ts'

const count = atLeast(0)

/** For files that name persons. */
export const nameLists = inSection('Lists', {
  column: replaceable(text, 'NAME', 'the column of such a file, where it is not distinct_id or email'),
  unmatched: option(newFile, 'FILE', 'write the lines without a target to this file'),
  requireAll: flag('refuse unless each line has a target'),
  onSeveral: replaceable(oneOf('all', 'skip'), 'WAY', 'where a line names several persons: all or skip; else refuse'),
})

export const guards = inSection('Guards', {
  expect: option(count, 'N', 'refuse unless there are exactly N targets'),
  max: smallest(count, 'N', 'refuse if there are more than N targets'),
  plan: option(newFile, 'FILE', 'change nothing: write what would be done to this file, for jobs run'),
})

export const canary = inSection('Guards', {
  canary: option(count, 'N', 'delete N, check that they are gone, then go on'),
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
  received: option(day, 'DATE', 'when that was asked for, for the receipt: it says what is due a month later'),
})
