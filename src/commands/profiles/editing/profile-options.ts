import { resolve } from 'node:path'
import { parseBaseUrl } from '../../../api/base-url.ts'
import { conflicting, flag, type OptionsOf, option, toggle } from '../../../cli/options.ts'
import { readCertificate } from '../../../config/access.ts'
import { isRelative } from '../../../config/key-command.ts'
import type { Profile } from '../../../config/resolve.ts'
import { settings } from '../../../config/settings.ts'
import type { Context } from '../../../context.ts'
import type { Host } from '../../../host.ts'
import { wordsOf } from '../../../text/shell-words.ts'
import { checkId } from '../../../values/ids.ts'
import { type Kind, oneOf, text } from '../../../values/kinds.ts'
import { safetyLevels } from '../../../values/safety.ts'
import { readKey } from './ask.ts'

const commandLine: Kind<string> = {
  ...text,
  parse(typed) {
    const [program] = wordsOf(typed)
    if (!program) return { problem: 'it names no program' }
    return isRelative(program) ? { problem: `${program} is a relative path; give the whole path` } : { value: typed }
  },
}

/** The word `none` takes the setting away. */
function orNone<T>(kind: Kind<T>): Kind<T | 'none'> {
  return { ...kind, parse: typed => (typed === 'none' ? { value: typed } : kind.parse(typed)) }
}

function unlessNone<T>(value: T | 'none'): T | null {
  return value === 'none' ? null : value
}

const { maxDeletes, require, output } = settings

export const editing = {
  apiKeyStdin: conflicting(flag('read the key from stdin'), 'apiKeyCommand'),
  apiKeyCommand: option(commandLine, 'COMMAND', 'a command that prints the key, run without a shell when it is needed'),
  safety: option(
    oneOf(...safetyLevels, 'none'),
    'LEVEL',
    'read-only refuses writes, no-delete refuses deletes, confirm asks a person for each write; or none',
  ),
  maxDeletes: option(
    orNone(maxDeletes.kind),
    'N',
    'the most objects that one command may delete, or none for no limit',
  ),
  require: option(
    orNone(require.kind),
    'LIST',
    'what a command that deletes must give: reason, receipt, plan, separated by commas; backup: every command that can write one; or none',
  ),
  headersFile: option(text, 'FILE', 'file of lines Name: value, sent with the key to an access proxy'),
  clientCert: option(text, 'FILE', 'PEM file of the certificate with which this machine says who it is'),
  clientKey: option(text, 'FILE', 'PEM file of its private key, without a passphrase'),
  caFile: option(text, 'FILE', 'PEM file of certificate authorities to trust in addition to the usual ones'),
  allowHttp: toggle('allow http:// to a host that is not this machine'),
  defaultOutput: option(output.kind, 'FORMAT', 'output format where neither -o nor ANALYTICS_OUTPUT is given'),
}

/** null removes the setting. */
export type Changes = { readonly [N in keyof Profile]?: Profile[N] | null | undefined }

/** Throws `UsageError` for an invalid key; the base URL is checked later. */
export async function typedChanges(context: Context, options: OptionsOf<typeof editing>): Promise<Changes> {
  const { config, host } = context
  const { apiKeyStdin, apiKeyCommand, safety, maxDeletes, require, allowHttp, defaultOutput } = options
  const { baseUrl, project, organization } = config.typed
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
    require: unlessNone(require),
    ...Object.fromEntries(files.map(name => [name, pathIn(options[name], host)])),
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
  return {
    ...after,
    baseUrl: parseBaseUrl(changes.baseUrl, after.allowHttp === true || values.allowHttp === true).href,
  }
}

const files = ['headersFile', 'clientCert', 'clientKey', 'caFile'] as const

/** The whole path; null for an empty one, which takes the setting away. */
function pathIn(typed: string | undefined, { cwd }: Host): string | null | undefined {
  return typed === '' ? null : typed && resolve(cwd, typed)
}

/** Throws `UsageError` for a changed file that does not hold what it should. */
export async function checkFiles(profile: Profile, changes: Changes, { host, messages }: Context): Promise<void> {
  const { headersFile, caFile } = changes
  const { warn } = messages
  if (headersFile) await (await import('../../../config/headers-file.ts')).readHeadersFile(headersFile, host, warn)
  if (changes.clientCert || changes.clientKey) await readCertificate(profile, host, warn)
  if (caFile) {
    await (await import('../../../http/transport/authorities.ts')).readAuthorities(caFile, host.interrupted)
  }
}
