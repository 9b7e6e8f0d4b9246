import type { Context } from '../cli/command.ts'

/** What finishes a job, with the options that led to where it goes. */
export function resumeLine({ settings: { typed } }: Context, job: string): string {
  const named = [
    ['--profile', typed.profile],
    ['--base-url', typed.baseUrl],
    ['--project', typed.project],
    ['--organization', typed.organization],
  ].flatMap(([option, value]) => (value === undefined ? [] : [`${option} ${value}`]))
  return ['Resume with: analytics jobs resume', job, ...named, ...(typed.sandbox ? ['--sandbox'] : [])].join(' ')
}
