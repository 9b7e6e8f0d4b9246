/** The options of `profiles add` and `profiles set`, and the changes they make. */
import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { baseUrl } from '../../../api/address.ts'
import type { Context } from '../../../cli/command.ts'
import { flag, type OptionsOf, option, repeated, replaceable, toggle } from '../../../cli/options.ts'
import { RefusedError, UsageError } from '../../../errors.ts'
import type { Input } from '../../../host.ts'
import type { Profile } from '../../../profiles/resolve.ts'
import { settings } from '../../../profiles/settings.ts'
import { isKey, isRelative } from '../../../secrets/key-text.ts'
import { escapeControls } from '../../../text/escape-controls.ts'
import { wordsOf } from '../../../text/words.ts'
import { checkId } from '../../../values/ids.ts'
import { type Kind, oneOf, text } from '../../../values/kinds.ts'
import { type Requirement, safetyLevels } from '../../../values/safety.ts'

const commandLine: Kind<string> = {
  ...text,
  parse(typed) {
    const [program] = wordsOf(typed)
    if (program === undefined) return { problem: 'it names no program' }
    if (isRelative(program)) return { problem: `${program} is a relative path; give the whole path` }
    const open = /['"]/.test(typed.replace(/'[^']*'|"[^"]*"/g, ''))
    return open ? { problem: 'a quote in it is not closed' } : { value: typed }
  },
}

function orNone<T>(kind: Kind<T>): Kind<T | 'none'> {
  return {
    ...kind,
    takes: `${kind.takes} or none`,
    parse(typed) {
      if (typed === 'none') return { value: 'none' }
      const parsed = kind.parse(typed)
      return 'problem' in parsed ? { problem: `${parsed.problem}; or give none` } : parsed
    },
  }
}

function unlessNone<T>(value: T | 'none'): T | null {
  return value === 'none' ? null : value
}

const { maxDeletes, require, output } = settings

export const editing = {
  apiKeyStdin: flag('read the key from stdin'),
  apiKeyCommand: option(commandLine, 'COMMAND', 'a command that prints the key, run without a shell when it is needed'),
  safety: option(
    oneOf(...safetyLevels, 'none'),
    'LEVEL',
    'read-only refuses writes, no-delete refuses deletes, confirm asks a person for each write; or none',
  ),
  maxDeletes: replaceable(
    orNone(maxDeletes.kind),
    'N',
    'the most objects that one command may delete, or none for no limit',
  ),
  require: repeated(
    orNone(require.kind),
    'LIST',
    'what a command that deletes must give: reason, receipt, plan, separated by commas; or none',
  ),
  caFile: replaceable(text, 'FILE', 'PEM file of certificate authorities to trust beside the usual ones'),
  allowHttp: toggle('allow http:// to a host that is not this machine'),
  defaultOutput: replaceable(output.kind, 'FORMAT', 'how it prints where neither -o nor ANALYTICS_OUTPUT says'),
}

/** null removes a setting. */
export type Changes = { readonly [N in keyof Profile]?: Profile[N] | null | undefined }

/** Throws `UsageError` for an invalid key; the base URL is checked later. */
export async function typedChanges(context: Context, options: OptionsOf<typeof editing>): Promise<Changes> {
  const { settings, host } = context
  const { apiKeyStdin, apiKeyCommand, safety, maxDeletes, require, caFile, allowHttp, defaultOutput } = options
  if (apiKeyStdin && apiKeyCommand !== undefined) {
    throw new UsageError('--api-key-stdin cannot be combined with --api-key-command', {
      hint: 'Give one of them',
    })
  }
  const { baseUrl, project, organization } = settings.typed
  if (project) checkId('projects', project)
  if (organization) checkId('organizations', organization)
  const changes = {
    baseUrl,
    project: project === '' ? null : project,
    organization: organization === '' ? null : organization,
    apiKey: apiKeyStdin ? await readKey(context) : undefined,
    apiKeyCommand,
    safety: unlessNone(safety),
    maxDeletes: unlessNone(maxDeletes),
    require: requirementsIn(require),
    caFile: caFile === '' ? null : caFile && certificatesIn(resolve(host.cwd, caFile)),
    allowHttp,
    output: defaultOutput,
  }
  return Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined))
}

/** Throws `UsageError` for an invalid base URL. */
export function changed(before: Profile, changes: Changes, { values }: Context): Profile {
  const after: Profile = Object.fromEntries(
    Object.entries({ ...before, ...changes }).filter(([, value]) => value !== null),
  )
  if (typeof changes.baseUrl !== 'string') return after
  return { ...after, baseUrl: baseUrl(changes.baseUrl, after.allowHttp === true || values.allowHttp === true).href }
}

/** Asks for a missing base URL and key; the key stays hidden. */
export async function askMissing(profile: Profile, context: Context): Promise<Profile> {
  const keyed = profile.apiKey !== undefined || profile.apiKeyCommand !== undefined
  if (profile.baseUrl !== undefined && keyed) return profile
  if (!mayAsk(context)) {
    throw profile.baseUrl === undefined
      ? new UsageError('A profile needs a base URL', { hint: 'Give --base-url' })
      : new UsageError('A profile needs a key', { hint: 'Give --api-key-stdin or --api-key-command' })
  }
  const addressed =
    profile.baseUrl === undefined
      ? await askUntil(context, 'Base URL: ', typed => changed(profile, { baseUrl: address(typed) }, context))
      : profile
  return keyed ? addressed : { ...addressed, apiKey: await askKey(context) }
}

/** Does not repeat the text, which may be the key. */
function address(typed: string): string {
  if (URL.canParse(typed)) return typed
  throw new UsageError('That is not a base URL', { hint: 'Give one such as https://analytics.example.com' })
}

function askKey(context: Context): Promise<string> {
  return askUntil(context, 'API key (not shown): ', keyOf, true)
}

/** Asks again after a `UsageError`: if the command ended, a pasted key would go to the shell. */
export async function askUntil<T>(
  { host, messages }: Context,
  question: string,
  read: (typed: string) => T,
  hidden = false,
): Promise<T> {
  for (;;) {
    const typed = await ask(host.stdin, question, hidden)
    try {
      return read(typed)
    } catch (error) {
      if (!(error instanceof UsageError)) throw error
      messages.warn(error.message)
      if (error.facts.hint) messages.say(error.facts.hint)
    }
  }
}

export function isAttended(context: Context): boolean {
  return mayAsk(context) && !context.values.yes
}

function mayAsk({ host, values }: Context): boolean {
  return host.stdin.isTerminal && !values.noInput && !values.dryRun
}

/** Without white space around it. Throws `RefusedError` at the end of input. */
async function ask(stdin: Input, question: string, hidden = false): Promise<string> {
  const answer = await stdin.ask(escapeControls(question), hidden)
  if (answer === undefined) throw new RefusedError('Declined: nothing was saved')
  return answer.trim()
}

async function readKey(context: Context): Promise<string> {
  const { stdin } = context.host
  if (!stdin.isTerminal) return keyOf(await firstLine(stdin.read()))
  if (mayAsk(context)) return askKey(context)
  throw new UsageError('No key comes on stdin: it is a terminal, where nothing may be asked', {
    hint: 'Pipe the key into it, or give --api-key-command',
  })
}

function certificatesIn(path: string): string {
  if (statSync(path, { throwIfNoEntry: false })?.isFile()) return path
  throw new UsageError(`--ca-file: there is no file ${path}`, { hint: 'Give a PEM file of certificates' })
}

/** Throws `UsageError` for none beside a requirement. */
function requirementsIn(lists: readonly (readonly Requirement[] | 'none')[]): Profile['require'] | null {
  const given = lists.flatMap(list => (list === 'none' ? [] : list))
  if (!lists.includes('none')) return lists.length > 0 ? [...new Set(given)] : undefined
  if (given.length > 0) throw new UsageError('--require none goes with no other --require', { hint: 'Leave one out' })
  return null
}

function keyOf(typed: string): string {
  const key = typed.trim()
  if (isKey(key)) return key
  throw new UsageError(
    key === '' ? 'The key is empty' : 'That is not a key: it holds blanks or unusual characters, or stands in quotes',
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
