/** Prompts for a profile at a terminal, and tries it once. */
import { idOf } from '../../api/answers/record-identity.ts'
import { parseBaseUrl } from '../../api/base-url.ts'
import type { Client } from '../../api/client.ts'
import { projects } from '../../api/endpoints.ts'
import { list } from '../../api/pages.ts'
import { configOfProfile } from '../../config/current.ts'
import type { Profile } from '../../config/settings.ts'
import type { Context } from '../../context.ts'
import { Failure, isForbidden, RefusedError, UsageError } from '../../errors.ts'
import { collectAtMost } from '../../files/read.ts'
import { textAt } from '../../json/exact.ts'
import { whyNoPrompt } from '../../runs/consent.ts'
import { isKey } from '../../secrets/secrets.ts'
import { checkId } from '../../values/ids.ts'
import { parseUrl } from '../../values/url.ts'

export function mayAsk(context: Context): boolean {
  return !context.values.dryRun && !context.values.yes && whyNoPrompt(context) === undefined
}

/** Asks again after a `UsageError`: if the command ended, a pasted key would go to the shell. Throws `RefusedError` at the end of input. */
async function askUntil<T>(
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
      messages.fault(error.message)
    }
  }
}

/** The message does not repeat the text, which may be the key. */
export function askAddress(context: Context, allowHttp: boolean): Promise<string> {
  return askUntil(context, 'Base URL: ', typed => {
    if (parseUrl(typed)) return parseBaseUrl(typed, allowHttp || context.values.allowHttp === true).href
    throw new UsageError('Not a base URL such as https://analytics.example.com')
  })
}

export function askKey(context: Context): Promise<string> {
  return askUntil(context, 'API key (not shown): ', keyOf, true)
}

function askProject(context: Context): Promise<string | undefined> {
  return askUntil(context, 'Project id (empty: none): ', typed =>
    typed === '' ? undefined : checkId('projects', typed),
  )
}

export async function readKey(context: Context): Promise<string> {
  const { stdin } = context.host
  // All of it is read, so that a second line is noticed.
  if (!stdin.isTerminal) return keyOf((await collectAtMost(stdin.read(), 64 * 1024))?.toString() ?? 'more than a key')
  if (mayAsk(context)) return askKey(context)
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

/** Returns the project that was chosen among those that the key may list. Throws what the service refuses. */
export async function tryOnService(name: string, profile: Profile, context: Context): Promise<string | undefined> {
  const { messages, host, config } = context
  if (context.values.sandbox) return undefined
  const own = configOfProfile(name, profile, config.typed, host)
  const { client } = await context.connectAs({ ...own, values: { ...own.values, retries: 0 } })
  messages.notice(`Asking ${client.base.host} …`)
  try {
    const listed = profile.project === undefined ? await showProjects(client, context) : []
    const id = profile.project ?? (await askProject(context))
    if (id === undefined) return undefined
    if (!listed.includes(id)) await client.record(projects.get, { path: { id } })
    return id
  } catch (error) {
    if (error instanceof Failure && !(error instanceof RefusedError)) {
      messages.say('Profile not saved: the key could not be checked. Use --yes to save it without checking')
    }
    throw error
  }
}

/** More projects would not fit on a screen with the question. */
const most = 15

async function showProjects(client: Client, { messages }: Context): Promise<readonly string[]> {
  const request = client.request(projects.list, { path: {}, query: { limit: most } })
  const ids: string[] = []
  try {
    for await (const items of list(client, request, { follow: false, limit: most }).batches) {
      for (const { value } of items) {
        const id = idOf(value, 'projects')
        messages.say(`  ${id.padEnd(8)}  ${textAt(value, 'name') ?? ''}`)
        ids.push(id)
      }
    }
  } catch (error) {
    // A key of one project may not list them.
    if (!isForbidden(error)) throw error
    messages.notice('This key is not allowed to list projects')
  }
  return ids
}
