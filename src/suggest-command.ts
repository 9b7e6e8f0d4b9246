/** Suggested command lines repeat this run's options for server and project. */

import type { Context } from './context.ts'
import { shellWord } from './text/shell-words.ts'

export function commandLine(context: Context, words: readonly string[]): string {
  return lineAt(context, context.config.typed, words)
}

/** For another day or shell: also names what variables or `profiles use` chose. `words` name the project. */
export function lastingCommandLine(context: Context, words: readonly string[]): string {
  const { typed, values, origins, profile } = context.config
  const fromVariables = (['baseUrl', 'sandbox'] as const)
    .filter(name => origins[name] === 'environment')
    .map(name => [name, values[name]])
  const isOfProfile = profile !== undefined && profile.values.baseUrl === values.baseUrl
  const where = {
    ...typed,
    project: undefined,
    ...Object.fromEntries(fromVariables),
    ...(isOfProfile ? { profile: profile.name } : {}),
  }
  return lineAt(context, where, words)
}

export function lineAt({ secrets }: Context, given: Context['config']['typed'], words: readonly string[]): string {
  const where = [
    ['--profile', given.profile],
    ['--base-url', given.baseUrl],
    ['--project', given.project],
    ['--organization', given.organization],
  ].flatMap(([option, value]) => (value === undefined ? [] : [String(option), String(value)]))
  const command = ['analytics', ...[...words, ...where].map(shellWord), ...(given.sandbox ? ['--sandbox'] : [])].join(
    ' ',
  )
  // The line may be written to a file.
  return secrets.hide(command)
}

/** Only for terminals: scripts cannot use it. */
export function suggest(context: Context, words: readonly string[]): void {
  if (context.host.stderr.isTerminal) context.messages.notice(`Next: ${commandLine(context, words)}`)
}
