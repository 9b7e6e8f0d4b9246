import type { Context } from './context.ts'
import { shellWord } from './text/shell-words.ts'

/** A line to paste, with this run's options for server and project. */
export function suggestCommand({ config, secrets }: Context, words: readonly string[]): string {
  const { profile, baseUrl, project, organization, sandbox } = config.typed
  const where = [
    ['--profile', profile],
    ['--base-url', baseUrl],
    ['--project', project],
    ['--organization', organization],
  ].flatMap(([option, value]) => (value === undefined ? [] : [String(option), String(value)]))
  const line = ['analytics', ...[...words, ...where].map(shellWord), ...(sandbox ? ['--sandbox'] : [])].join(' ')
  // It may be written to a file.
  return secrets.hide(line)
}
