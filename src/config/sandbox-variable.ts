import { UsageError } from '../errors.ts'

/** `documented` follows the service's document, `observed` shows how real servers differ. */
export const dialects = ['documented', 'observed'] as const

export type Dialect = (typeof dialects)[number]

/** Undefined: not in the sandbox. No guess, since a command outside it would change real data. */
export function dialectIn(text = ''): Dialect | undefined {
  const word = text.trim().toLowerCase()
  if (/^(1|true|yes|on|documented)$/.test(word)) return 'documented'
  if (word === 'observed') return 'observed'
  if (/^(0|false|no|off)?$/.test(word)) return undefined
  throw new UsageError(`ANALYTICS_SANDBOX: ${JSON.stringify(text)} is not one of its values`, {
    hint: 'Use 1, 0, or observed (like real servers)',
  })
}
