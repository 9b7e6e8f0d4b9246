/** `!emial` selects everyone if no record has `emial`, so what a negation excludes is looked for in what was read. */
import type { Json } from '../json/exact.ts'
import { isNearly } from '../text/nearest.ts'
import { excludedBy, type Filter, hasDoubtfulName } from './filter.ts'
import { matcherOf } from './match.ts'

export interface Unheld {
  /** No record that was read matches it. */
  readonly filter: Filter
  /** A record has this name, which is nearly the one that was typed. */
  readonly near: string | undefined
}

interface Excluded {
  look(valueAt: (key: string) => Json | undefined, names: () => readonly string[]): void
  unheld(): readonly Unheld[]
}

/** `exempt`: names that need not be found, because the service documents them. */
export function searchExcluded(filters: readonly Filter[], exempt: readonly string[] = []): Excluded {
  const typed = new Set(filters.map(({ key }) => key))
  let open = filters
    .flatMap(excludedBy)
    .flatMap((filter): Unheld[] => (isName(filter) && exempt.includes(filter.key) ? [] : [{ filter, near: undefined }]))
  return {
    look(valueAt, names) {
      open = open.filter(({ filter }) => !isHeld(filter, valueAt(filter.key)))
      if (!open.some(isUnexplained)) return
      // A name that was typed too is no mistake for another one.
      const others = names().filter(name => !typed.has(name))
      open = open.map(one =>
        isUnexplained(one) ? { ...one, near: others.find(name => isNearly(name, one.filter.key)) } : one,
      )
    },
    unheld: () => open,
  }
}

/** A property that nobody has can be meant; a name that is nearly another one, or a value with a quote, is a mistake. */
export function isMistake({ filter, near }: Unheld): boolean {
  return near !== undefined || !isName(filter) || hasDoubtfulName(filter.key)
}

function isUnexplained({ filter, near }: Unheld): boolean {
  return near === undefined && isName(filter)
}

export function isName({ operator }: Filter): boolean {
  return operator === 'is_set'
}

function isHeld(filter: Filter, value: Json | undefined): boolean {
  return isName(filter) ? value !== undefined : matcherOf(filter)?.(value) === true
}
