/** Command lines to be typed next: they go where this run went. */
import type { Context } from './command.ts'

/** `analytics` with these words, and with the options of this run that say where it goes. */
export function commandLine({ settings: { typed } }: Context, words: readonly string[]): string {
  const where = [
    ['--profile', typed.profile],
    ['--base-url', typed.baseUrl],
    ['--project', typed.project],
    ['--organization', typed.organization],
  ].flatMap(([option, value]) => (value === undefined ? [] : [String(option), String(value)]))
  return ['analytics', ...[...words, ...where].map(quoted), ...(typed.sandbox ? ['--sandbox'] : [])].join(' ')
}

/** Says what is useful next to somebody who reads along; a script has no use for it. */
export function suggest(context: Context, words: readonly string[]): void {
  if (context.host.stderr.isTerminal) context.messages.notice(`Next: ${commandLine(context, words)}`)
}

/** As a shell takes it for one word; in double quotes where they are enough, since every shell knows those. */
function quoted(word: string): string {
  if (/^[\p{L}\p{N}_@%+=:,./\\-]+$/u.test(word)) return word
  return /["$`!]/.test(word) ? `'${word.replaceAll("'", "'\\''")}'` : `"${word}"`
}
