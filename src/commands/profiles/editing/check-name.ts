import { UsageError } from '../../../errors.ts'

/** Throws `UsageError` for a name that needs quotes or looks like an option or a path. */
export function checkName(name: string): void {
  if (/^[\w][\w.@-]{0,63}$/.test(name) && name !== '__proto__') return
  throw new UsageError(`${JSON.stringify(name)} cannot be the name of a profile`, {
    hint: 'Use letters, digits, dots, dashes and underscores',
  })
}
