/** What `profiles add` and `profiles set` share: their options, and the changes from options and prompts. */

import { parseBaseUrl } from '../../api/base-url.ts'
import { conflicting, flag, type OptionsOf, option, toggle } from '../../cli/options.ts'
import { configFolder } from '../../config/folders.ts'
import { isProgram } from '../../config/key-command.ts'
import { type Profile, settings } from '../../config/settings.ts'
import { changeProfiles, type Profiles, readProfiles } from '../../config/store.ts'
import type { Context } from '../../context.ts'
import { UsageError } from '../../errors.ts'
import { absolutePath } from '../../host.ts'
import { safetyLevels } from '../../http/guard.ts'
import { noData, type Result } from '../../result.ts'
import { wordsOf } from '../../text/shell-words.ts'
import { checkId } from '../../values/ids.ts'
import { inputFile, type Kind, oneOf, quoteText, text } from '../../values/kinds.ts'
import { canPrompt, promptForBaseUrl, promptForKey, readKey, tryProfile } from './prompts.ts'

const commandLine: Kind<string> = {
  ...text,
  parse: typed =>
    isProgram(wordsOf(typed)[0] ?? '')
      ? { value: typed }
      : { problem: `${quoteText(typed)} is not a program`, hint: 'Use its name or full path' },
}

/** This value removes a setting. */
const none = 'none'

function orNone<T>(kind: Kind<T>): Kind<T | typeof none> {
  return { ...kind, parse: typed => (typed === none ? { value: typed } : kind.parse(typed)) }
}

export const editing = {
  apiKeyStdin: conflicting(flag('read the key from stdin'), 'apiKeyCommand'),
  apiKeyCommand: option(commandLine, 'COMMAND', 'get the key from this command, run without a shell'),
  safety: option(
    orNone(oneOf(...safetyLevels)),
    'LEVEL',
    'read-only blocks all writes, no-delete blocks deletes; or none',
  ),
  maxDeletes: option(orNone(settings.maxDeletes.kind), 'N', 'let one command delete at most N objects; or none'),
  headersFile: option(inputFile, 'FILE|none', 'send the headers in this file (Name: value) with the key'),
  caFile: option(inputFile, 'FILE|none', 'trust the certificate authorities in this PEM file too'),
  allowHttp: toggle('allow http:// to another machine'),
}

/** Throws `UsageError` for a name that needs quotes, or that looks like an option or a path. */
export function checkName(name: string): void {
  if (/^[\w][\w.@-]{0,63}$/.test(name) && name !== '__proto__') return
  throw new UsageError(`${JSON.stringify(name)} cannot be the name of a profile`, {
    hint: 'Use letters, digits, dots, dashes and underscores',
  })
}

export function refuseTaken({ profiles }: Profiles, name: string): void {
  if (!Object.hasOwn(profiles, name)) return
  throw new UsageError(`Profile ${name} exists already`, { hint: `Change it with: analytics profiles set ${name}` })
}

/** `null` removes a setting. */
type Changes = { readonly [N in keyof Profile]?: Profile[N] | null | undefined }

/** At a terminal it prompts for missing settings, and tries the service once. Throws `UsageError` for invalid ones. */
export async function changesOf(
  name: string,
  before: Profile,
  options: OptionsOf<typeof editing>,
  context: Context,
): Promise<Changes> {
  let changes = await typedChanges(options, context)
  const after = () => withChanges(before, changes, context)
  await checkFiles(changes, context)
  if (canPrompt(context)) {
    if (after().baseUrl === undefined)
      changes = { ...changes, baseUrl: await promptForBaseUrl(context, changes.allowHttp === true) }
    if (!hasKey(after())) changes = { ...changes, apiKey: await promptForKey(context) }
    if (settingsToTry.some(setting => changes[setting])) {
      const project = await tryProfile(name, after(), context)
      changes = { ...changes, ...(project === undefined ? {} : { project }) }
    }
  }
  const profile = after()
  if (profile.baseUrl === undefined) throw new UsageError('A profile needs a base URL', { hint: 'Use --base-url URL' })
  if (hasKey(profile)) return changes
  throw new UsageError('A profile needs a key', { hint: 'Use --api-key-stdin or --api-key-command' })
}

const settingsToTry = ['baseUrl', 'project', 'apiKey', 'apiKeyCommand', 'headersFile'] as const

function hasKey({ apiKey, apiKeyCommand }: Profile): boolean {
  return apiKey !== undefined || apiKeyCommand !== undefined
}

async function typedChanges(options: OptionsOf<typeof editing>, context: Context): Promise<Changes> {
  const { apiKeyStdin, apiKeyCommand, safety, maxDeletes, headersFile, caFile, allowHttp } = options
  const { baseUrl, project, organization, output } = context.config.typed
  if (project !== undefined && project !== none) checkId('projects', project)
  if (organization !== undefined && organization !== none) checkId('organizations', organization)
  const pathOf = (typed: string | undefined) =>
    typed === undefined || typed === none ? typed : absolutePath(context.host, typed)
  const typed = {
    baseUrl,
    project,
    organization,
    // A key replaces a key command, and a key command replaces a key.
    ...(apiKeyStdin ? { apiKey: await readKey(context), apiKeyCommand: none } : {}),
    ...(apiKeyCommand === undefined ? {} : { apiKeyCommand, apiKey: none }),
    safety,
    maxDeletes,
    headersFile: pathOf(headersFile),
    caFile: pathOf(caFile),
    allowHttp,
    output,
  }
  const given = Object.entries(typed).filter(([, value]) => value !== undefined)
  return Object.fromEntries(given.map(([name, value]) => [name, value === none ? null : value]))
}

/** Throws `UsageError` for an invalid base URL, and if a secret would go to another host. */
export function withChanges(before: Profile, changes: Changes, { values }: Context): Profile {
  const all = Object.entries({ ...before, ...changes }).filter(([, value]) => value !== null)
  const after: Profile = Object.fromEntries(all)
  const { baseUrl } = after
  if (baseUrl === undefined) return after
  const allowHttp = after.allowHttp === true || values.allowHttp === true || changes.baseUrl === undefined
  const address = parseBaseUrl(baseUrl, allowHttp)
  const old = before.baseUrl === undefined ? address : parseBaseUrl(before.baseUrl, true)
  const refuse = (what: string, hint: string) => {
    throw new UsageError(`The new base URL is on another host, and the ${what} of this profile is never sent there`, {
      hint,
    })
  }
  if (old.origin !== address.origin) {
    const isKeyNew = changes.apiKey || changes.apiKeyCommand
    if (!isKeyNew) refuse('key', 'Set a key for that host with --api-key-stdin or --api-key-command')
    const isFileLeft = after.headersFile && !changes.headersFile
    if (isFileLeft) refuse('headers file', 'Use --headers-file FILE for that host, or --headers-file none')
  }
  return { ...after, baseUrl: address.href }
}

async function checkFiles({ headersFile, caFile }: Changes, { host, messages }: Context): Promise<void> {
  if (headersFile) await (await import('../../config/headers.ts')).readHeadersFile(headersFile, host, messages.warn)
  if (caFile) await (await import('../../http/transport/open-dispatcher.ts')).trusting([caFile], host.interrupted)
}

/** A dry run saves nothing, but throws the same errors. `cleaned`: see `readProfiles`. */
export async function save(
  { host, values, messages }: Context,
  change: (before: Profiles) => Profiles,
  done: string,
  cleaned?: string,
): Promise<Result> {
  const folder = configFolder(host)
  if (values.dryRun) change(readProfiles(folder, cleaned))
  else {
    await changeProfiles(folder, host, change, cleaned)
    messages.notice(done)
  }
  return { data: noData }
}
