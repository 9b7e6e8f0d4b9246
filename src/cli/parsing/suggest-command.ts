/** Suggests the next command line, with this run's options for server and project. */
import type { Context } from '../command.ts'

export function commandLine({ settings: { typed }, secrets }: Context, words: readonly string[]): string {
  const where = [
    ['--profile', typed.profile],
    ['--base-url', typed.baseUrl],
    ['--project', typed.project],
    ['--organization', typed.organization],
    ['--dialect', typed.dialect],
  ].flatMap(([option, value]) => (value === undefined ? [] : [String(option), String(value)]))
  const command = ['analytics', ...[...words, ...where].map(quoted), ...(typed.sandbox ? ['--sandbox'] : [])].join(' ')
  // It may be written to a file.
  return secrets.hide(command)
}

/** Only at a terminal, because a script cannot use it. */
export function suggest(context: Context, words: readonly string[]): void {
  if (context.host.stderr.isTerminal) context.messages.notice(`Next: ${commandLine(context, words)}`)
}

/** Prefers double quotes, because every shell knows them. */
function quoted(word: string): string {
  if (/^[\p{L}\p{N}_@%+=:,./\\-]+$/u.test(word)) return word
  return /["$`!]/.test(word) ? `'${word.replaceAll("'", "'\\''")}'` : `"${word}"`
}
