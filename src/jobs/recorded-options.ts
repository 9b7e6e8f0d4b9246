/** What a job keeps of the options of its run: their names, and the numbers; any text could be personal. */
import type { BulkOptions } from '../cli/bulk-options.ts'

/** Of an option that was given: `…` replaces its value. */
export type RecordedOptions = Readonly<Record<string, boolean | number | '…'>>

/** What a resume goes on with unless it is given others. */
type RunLimit = 'concurrency' | 'maxFailures' | 'canary'

const numbers: readonly string[] = [
  'expect',
  'max',
  'maxDuration',
  'concurrency',
  'maxFailures',
  'canary',
] satisfies readonly (keyof BulkOptions)[]

export function recordedOptions(options: Readonly<Record<string, unknown>>): RecordedOptions {
  return Object.fromEntries(
    Object.entries(options).flatMap(([name, value]): [string, boolean | number | '…'][] => {
      if (value === undefined || value === false || (Array.isArray(value) && value.length === 0)) return []
      return [[name, value === true || (typeof value === 'number' && numbers.includes(name)) ? value : '…']]
    }),
  )
}

export function recordedLimit(options: RecordedOptions, name: RunLimit): number | undefined {
  const value = options[name]
  return typeof value === 'number' ? value : undefined
}

/** Whether `--delete-events` was given. */
export function recordedDeleteEvents({ deleteEvents }: RecordedOptions): boolean {
  return deleteEvents === true
}
