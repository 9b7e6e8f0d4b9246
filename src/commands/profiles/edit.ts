/** What `profiles add` and `profiles set` share: the options, and what they say about a profile. */
import { baseUrl, segment } from '../../api/address.ts'
import type { Context } from '../../cli/command.ts'
import { asks } from '../../cli/confirm.ts'
import { flag, type OptionsOf, option, toggle } from '../../cli/options.ts'
import { RefusedError, UsageError } from '../../errors.ts'
import type { Input } from '../../host.ts'
import { isKey } from '../../profiles/key-text.ts'
import type { Profile } from '../../profiles/resolve.ts'
import { formats } from '../../profiles/settings.ts'
import { escapeControls } from '../../values/escape-controls.ts'
import { type Kind, oneOf, text } from '../../values/kinds.ts'
import { wordsOf } from '../../values/words.ts'

const commandLine: Kind<string> = {
  ...text,
  parse(typed) {
    if (wordsOf(typed).length === 0) return { problem: 'it names no program' }
    const open = /['"]/.test(typed.replace(/'[^']*'|"[^"]*"/g, ''))
    return open ? { problem: 'a quote in it is not closed' } : { value: typed }
  },
}

export const editing = {
  apiKeyStdin: flag('read the key from stdin'),
  apiKeyCommand: option(commandLine, 'COMMAND', 'a command that prints the key, run without a shell when it is needed'),
  safety: option(oneOf('read-only', 'no-delete', 'none'), 'LEVEL', 'what it refuses: read-only, no-delete or none'),
  allowHttp: toggle('allow http:// to a host that is not this machine'),
  defaultOutput: option(formats, 'FORMAT', 'how it prints where neither -o nor ANALYTICS_OUTPUT says'),
}

/** What was given, by setting; null takes the setting away. */
export type Changes = { readonly [N in keyof Profile]?: Profile[N] | null }

/** What was typed. Throws `UsageError` for a key that cannot be; the base URL is not looked at yet. */
export async function typedChanges(
  { settings: { typed }, host }: Context,
  options: OptionsOf<typeof editing>,
): Promise<Changes> {
  const { apiKeyStdin, apiKeyCommand, safety, allowHttp, defaultOutput } = options
  if (apiKeyStdin && apiKeyCommand !== undefined) {
    throw new UsageError('--api-key-stdin and --api-key-command are two places for one key', {
      hint: 'Give one of them',
    })
  }
  const { baseUrl, project, organization } = typed as Profile
  for (const [name, id] of Object.entries({ project, organization })) if (id) segment(name, String(id))
  const changes = {
    baseUrl,
    project: project === '' ? null : project,
    organization: organization === '' ? null : organization,
    apiKey: apiKeyStdin ? await readKey(host.stdin) : undefined,
    apiKeyCommand,
    safety: safety === 'none' ? null : safety,
    allowHttp,
    output: defaultOutput,
  }
  return Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined))
}

/** The profile with the changes in it. Throws `UsageError` for a base URL that cannot be one. */
export function changed(before: Profile, changes: Changes, { values }: Context): Profile {
  const after: Profile = Object.fromEntries(
    Object.entries({ ...before, ...changes }).filter(([, value]) => value !== null),
  )
  if (typeof changes.baseUrl !== 'string') return after
  return { ...after, baseUrl: baseUrl(changes.baseUrl, after.allowHttp === true || values.allowHttp === true).href }
}

/** Asks at the terminal for what a profile cannot be without; the key is not shown. */
export async function askMissing(profile: Profile, context: Context): Promise<Profile> {
  const { host, values } = context
  const keyed = profile.apiKey !== undefined || profile.apiKeyCommand !== undefined
  if (profile.baseUrl !== undefined && keyed) return profile
  if (!host.stdin.isTerminal || values.noInput || values.dryRun) {
    throw profile.baseUrl === undefined
      ? new UsageError('A profile needs a base URL', { hint: 'Give --base-url' })
      : new UsageError('A profile needs a key', { hint: 'Give --api-key-stdin or --api-key-command' })
  }
  const { stdin } = host
  const baseUrl = await (profile.baseUrl ?? ask(stdin, 'Base URL: '))
  const addressed = changed(profile, { baseUrl }, context)
  return keyed ? addressed : { ...addressed, apiKey: keyOf(await ask(stdin, 'API key (not shown): ', true)) }
}

/** Whether somebody sits there who can be asked about more than that, and told what came of it. */
export function isAttended({ host, values }: Context): boolean {
  return host.stdin.isTerminal && !values.noInput && asks(values)
}

/** One answer, without white space around it. Throws `RefusedError` at the end of input. */
export async function ask(stdin: Input, question: string, hidden = false): Promise<string> {
  const answer = await stdin.ask(escapeControls(question), hidden)
  if (answer === undefined) throw new RefusedError('Declined: nothing was stored')
  return answer.trim()
}

async function readKey(stdin: Input): Promise<string> {
  return keyOf(stdin.isTerminal ? await ask(stdin, 'API key (not shown): ', true) : await firstLine(stdin.read()))
}

function keyOf(typed: string): string {
  const key = typed.trim()
  if (isKey(key)) return key
  throw new UsageError(
    key === '' ? 'The key is empty' : 'That is not a key: it holds white space or unusual characters',
  )
}

async function firstLine(bytes: AsyncIterable<Uint8Array>): Promise<string> {
  let read = Buffer.alloc(0)
  for await (const chunk of bytes) {
    read = Buffer.concat([read, chunk])
    if (read.includes('\n') || read.length > 64 * 1024) break
  }
  return read.toString('utf8').split('\n')[0] ?? ''
}
