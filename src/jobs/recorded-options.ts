/** A job stores the names of options and their numbers, but no text, since any text may be personal. */

/** `…` replaces the value of a given option. */
export type RecordedOptions = Readonly<Record<string, boolean | number | '…'>>

/** A resume uses these again unless others are given. */
type RunLimit = 'concurrency' | 'maxFailures'

const numbers: readonly string[] = ['expect', 'max', 'concurrency', 'maxFailures', 'batch']

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
