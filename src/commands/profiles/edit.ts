/** What `profiles add` and `profiles set` share: the options, and the profile that they make. */
import { baseUrl } from '../../api/address.ts'
import type { Context } from '../../cli/command.ts'
import { flag, type OptionsOf, option, toggle } from '../../cli/options.ts'
import { UsageError } from '../../errors.ts'
import { isKey } from '../../profiles/key.ts'
import type { Profile } from '../../profiles/resolve.ts'
import { settings } from '../../profiles/settings.ts'
import { text } from '../../values/kinds.ts'

export const editing = {
  apiKeyStdin: flag('read the key from stdin'),
  apiKeyCommand: option(text, 'COMMAND', 'a command that prints the key, run without a shell whenever it is needed'),
  safety: option(settings.safety.kind, 'LEVEL', 'read-only or no-delete: what this profile refuses'),
  allowHttp: toggle('allow http:// to a host that is not this machine'),
}

/** What was typed, as a profile keeps it. Throws `UsageError` for a base URL or key that cannot be. */
export async function typedProfile(
  { settings: { typed }, host }: Context,
  options: OptionsOf<typeof editing>,
): Promise<Profile> {
  if (options.apiKeyStdin && options.apiKeyCommand !== undefined) {
    throw new UsageError('--api-key-stdin and --api-key-command are two places for one key', {
      hint: 'Give one of them',
    })
  }
  const { baseUrl: url, project, organization, output } = typed as Profile
  const key = options.apiKeyStdin ? keyOf(await firstLine(host.stdin.read())) : undefined
  return known({
    baseUrl: url === undefined ? undefined : baseUrl(url as string, options.allowHttp ?? false).href,
    project,
    organization,
    output,
    apiKey: key,
    apiKeyCommand: options.apiKeyCommand,
    safety: options.safety,
    allowHttp: options.allowHttp,
  })
}

/** Asks at the terminal for what a profile cannot be without; the key is not shown. */
export async function askMissing(profile: Profile, { host, values }: Context): Promise<Profile> {
  const missing = profile.baseUrl === undefined || (profile.apiKey === undefined && profile.apiKeyCommand === undefined)
  if (!missing) return profile
  if (!host.stdin.isTerminal || values.noInput) {
    const what = profile.baseUrl === undefined ? 'base URL' : 'key'
    throw new UsageError(`A profile needs a ${what}`, {
      hint: what === 'key' ? 'Give --api-key-stdin or --api-key-command' : 'Give --base-url',
    })
  }
  const ask = async (question: string, hidden = false) => (await host.stdin.ask(question, hidden))?.trim() || undefined
  const url = profile.baseUrl ?? (await ask('Base URL: '))
  const address = baseUrl((url as string | undefined) ?? '', profile.allowHttp === true).href
  const project = profile.project ?? (await ask('Project id (empty: none): '))
  const key =
    profile.apiKeyCommand === undefined
      ? (profile.apiKey ?? keyOf((await ask('API key (not shown): ', true)) ?? ''))
      : undefined
  return known({ ...profile, baseUrl: address, project, apiKey: key })
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

function known(values: Readonly<Record<string, unknown>>): Profile {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Profile
}
