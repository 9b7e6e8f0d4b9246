import type { Client } from '../../api/client.ts'
import { projects } from '../../api/endpoints.ts'
import { list } from '../../api/pages.ts'
import { idOf } from '../../api/responses/record-identity.ts'
import { configOfProfile } from '../../config/current.ts'
import type { Profile } from '../../config/settings.ts'
import type { Context } from '../../context.ts'
import { Failure, isForbidden, RefusedError, UsageError } from '../../errors.ts'
import { collectAtMost } from '../../files/read-input.ts'
import { textAt } from '../../json/exact.ts'
import { whyNoPrompt } from '../../runs/checks.ts'
import { isKey } from '../../secrets/secrets.ts'
import { checkId } from '../../values/ids.ts'
import { parseBaseUrl, parseUrl } from '../../values/url.ts'

function canPrompt(context: Context): boolean {
  return !context.values.dryRun && !context.values.yes && whyNoPrompt(context) === undefined
}

/** Prompts again after a `UsageError`, so that the shell does not get the rest of a pasted key. Throws `RefusedError` at the end of input. */
async function promptUntilValid<T>(
  { host, messages }: Context,
  question: string,
  read: (typed: string) => T,
  hidden = false,
): Promise<T> {
  for (;;) {
    const typed = await host.stdin.ask(question, hidden)
    if (typed === undefined) throw new RefusedError('Canceled: profile not saved')
    try {
      return read(typed.trim())
    } catch (error) {
      if (!(error instanceof UsageError)) throw error
      messages.problem([error.message, error.details.hint ?? []].flat().join('. '))
    }
  }
}

/** `null` removes a setting. */
export type Changes = { readonly [N in keyof Profile]?: Profile[N] | null | undefined }

const settingsToTry = ['baseUrl', 'project', 'apiKey', 'apiKeyCommand', 'headersFile'] as const

/** Prompts for what is missing and tries the profile, at a terminal. Throws `UsageError` if something is missing then. */
export async function completeChanges(
  context: Context,
  name: string,
  typed: Changes,
  profileWith: (changes: Changes) => Profile,
): Promise<Changes> {
  let changes = typed
  if (canPrompt(context)) {
    if (profileWith(changes).baseUrl === undefined) {
      changes = { ...changes, baseUrl: await promptForBaseUrl(context, changes.allowHttp === true) }
    }
    if (!hasKey(profileWith(changes))) changes = { ...changes, apiKey: await promptForKey(context) }
    if (settingsToTry.some(setting => changes[setting])) {
      const project = await tryProfile(name, profileWith(changes), context)
      changes = { ...changes, ...(project === undefined ? {} : { project }) }
    }
  }
  const profile = profileWith(changes)
  if (profile.baseUrl === undefined) throw new UsageError('A profile needs a base URL', { hint: 'Use --base-url URL' })
  if (hasKey(profile)) return changes
  throw new UsageError('A profile needs a key', { hint: 'Use --api-key-stdin or --api-key-command' })
}

function hasKey({ apiKey, apiKeyCommand }: Profile): boolean {
  return apiKey !== undefined || apiKeyCommand !== undefined
}

/** The message does not repeat the text, because it may be the key. */
function promptForBaseUrl(context: Context, allowHttp: boolean): Promise<string> {
  return promptUntilValid(context, 'Base URL: ', typed => {
    if (parseUrl(typed)) return parseBaseUrl(typed, allowHttp || context.values.allowHttp === true).href
    throw new UsageError('This is not a URL', { hint: 'Use one like https://analytics.example.com' })
  })
}

function promptForKey(context: Context): Promise<string> {
  return promptUntilValid(context, 'API key (not shown): ', keyOf, true)
}

function promptForProject(context: Context): Promise<string | undefined> {
  return promptUntilValid(context, 'Project id (empty: none): ', typed =>
    typed === '' ? undefined : checkId('projects', typed),
  )
}

export async function readKey(context: Context): Promise<string> {
  const { stdin } = context.host
  // Reads all lines, to refuse a second one.
  if (!stdin.isTerminal) return keyOf((await collectAtMost(stdin.read(), 64 * 1024))?.toString() ?? 'more than a key')
  if (canPrompt(context)) return promptForKey(context)
  throw new UsageError('No key on stdin: it is a terminal, and prompts are off', {
    hint: 'Pipe the key to stdin, or use --api-key-command',
  })
}

function keyOf(typed: string): string {
  const key = typed.trim()
  if (isKey(key)) return key
  throw new UsageError(
    key === '' ? 'The key is empty' : 'Not a key: it has spaces, several lines, quotes or unusual characters',
  )
}

/** Returns the project, which the user may choose. Throws a `Failure` if the key or project does not work. */
async function tryProfile(name: string, profile: Profile, context: Context): Promise<string | undefined> {
  const { messages, host, config } = context
  if (context.values.sandbox) return undefined
  const profileConfig = configOfProfile(name, profile, config.options, host)
  const { client } = await context.connectAs({ ...profileConfig, values: { ...profileConfig.values, retries: 0 } })
  messages.notice(`Connecting to ${client.base.host}…`)
  try {
    const listed = profile.project === undefined ? await showProjects(client, context) : []
    const id = profile.project ?? (await promptForProject(context))
    if (id === undefined) return undefined
    if (!listed.includes(id)) await client.record(projects.get, { path: { id } })
    return id
  } catch (error) {
    if (error instanceof Failure && !(error instanceof RefusedError)) {
      messages.print('Profile not saved, because the check failed. Use --yes to save it without a check')
    }
    throw error
  }
}

/** More would not fit on a screen with the prompt. */
const maxProjects = 15

async function showProjects(client: Client, { messages }: Context): Promise<readonly string[]> {
  const request = client.request(projects.list, { path: {}, query: { limit: maxProjects } })
  const ids: string[] = []
  try {
    for await (const items of list(client, request, { follow: false, limit: maxProjects }).batches) {
      for (const { value } of items) {
        const id = idOf(value, 'projects')
        messages.print(`  ${id.padEnd(8)}  ${textAt(value, 'name') ?? ''}`)
        ids.push(id)
      }
    }
  } catch (error) {
    // A key for one project may not be allowed to list projects.
    if (!isForbidden(error)) throw error
    messages.notice('This key is not allowed to list projects')
  }
  return ids
}
