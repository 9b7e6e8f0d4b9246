import {
  argument,
  type Command,
  conflicting,
  defineCommand,
  flag,
  type OptionsOf,
  option,
  toggle,
} from '../../cli/command.ts'
import { isProgram } from '../../config/key-command.ts'
import { type Profile, settings } from '../../config/settings.ts'
import { checkNewName, configFile, profileOf, readProfiles, refuseShared } from '../../config/store.ts'
import type { Context, Result } from '../../context.ts'
import { RefusedError, UsageError } from '../../errors.ts'
import { absolutePath, type Host } from '../../host.ts'
import { safetyLevels } from '../../http/guard.ts'
import { wordsOf } from '../../text/shell-words.ts'
import { checkId } from '../../values/ids.ts'
import { defineKind, inputFile, type Kind, oneOf } from '../../values/kinds.ts'
import { parseBaseUrl } from '../../values/url.ts'
import { type Changes, completeChanges, readKey } from './prompts.ts'
import { save } from './save.ts'

const commandLine = defineKind('command', {
  takes: 'the name or full path of a program',
  read: typed => (isProgram(wordsOf(typed)[0] ?? '') ? typed : undefined),
})

/** Removes a setting. */
const none = 'none'

function orNone<T>(kind: Kind<T>): Kind<T | typeof none> {
  return { ...kind, parse: typed => (typed === none ? { value: typed } : kind.parse(typed)) }
}

const editing = {
  apiKeyStdin: conflicting(flag('read the key from stdin'), 'apiKeyCommand'),
  apiKeyCommand: option(commandLine, 'COMMAND', 'get the key from this command, run without a shell'),
  safety: option(
    orNone(oneOf(...safetyLevels)),
    'LEVEL',
    'read-only blocks all writes, no-delete blocks deletes, none blocks nothing',
  ),
  maxDeletes: option(
    orNone(settings.maxDeletes.kind),
    'N',
    'limit the objects that one command can delete (none: no limit)',
  ),
  headersFile: option(inputFile, 'FILE|none', 'send the headers in this file (Name: value) with the key'),
  caFile: option(inputFile, 'FILE|none', 'trust the certificate authorities in this PEM file too'),
  allowHttp: toggle('allow http:// to another machine'),
}

const texts = {
  add: {
    summary: 'Save a base URL, key and project under a name',
    details:
      'At a terminal it prompts for the base URL, key and project that are missing, and tries them once: a key that the service refuses is not saved. In a script, and with --yes or --no-input, it prompts for nothing and sends nothing. The key is never an option, because ps would show it. The first profile that you add is the one in use.',
    examples: [
      'profiles add prod --base-url https://a.example.com --project 42 # Prompt for the key',
      'profiles add ci --base-url https://a.example.com --max-deletes 0 # Allow no deletes',
    ],
  },
  set: {
    summary: 'Change a profile, or rotate its key',
    details:
      'The value none removes a setting, as in --project none. With a base URL on another host, give a new key too: the old key is never sent there. At a terminal a new base URL, key or project is tried once and saved only if it works. In a script, and with --yes or --no-input, nothing is sent. Without options it removes unknown and invalid settings from the profile.',
    examples: [
      'profiles set prod --project 43 # Change the project',
      'profiles set prod --safety read-only # Block all writes',
    ],
  },
} as const

export function editCommand(verb: keyof typeof texts): Command {
  const edit = verb === 'add' ? add : set
  return defineCommand({
    ...texts[verb],
    args: { name: argument('NAME', 'name of the profile') },
    options: editing,
    run: ({ name }, options, context) => edit(context, name, options),
  })
}

type Editing = OptionsOf<typeof editing>

async function add(context: Context, name: string, options: Editing): Promise<Result> {
  const { host } = context
  checkNewName(readProfiles(host), name)
  refuseShared(host)
  const profile = withChanges({}, await changesOf(name, {}, options, context), context)
  return save(
    context,
    before => {
      checkNewName(before, name)
      return { current: before.current ?? name, profiles: { ...before.profiles, [name]: profile } }
    },
    `Added profile ${name} to ${configFile(host)}`,
  )
}

async function set(context: Context, name: string, options: Editing): Promise<Result> {
  const { host, config } = context
  const { baseUrl, project, organization, output } = config.options
  const { apiKeyStdin, ...others } = options
  // `--no-allow-http` is the value false.
  const values = [baseUrl, project, organization, output, ...Object.values(others)]
  const isBare = !apiKeyStdin && values.every(value => value === undefined)
  if (isBare && isReadable(host)) {
    throw new UsageError('No changes given', { hint: 'See analytics profiles set --help' })
  }
  const profileToRepair = isBare ? name : undefined
  const known = profileOf(readProfiles(host, profileToRepair), name)
  refuseShared(host)
  const changes = isBare ? {} : await changesOf(name, known, options, context)
  return save(
    context,
    before => {
      const current = profileOf(before, name)
      if (changes.baseUrl === undefined && current.baseUrl !== known.baseUrl) {
        throw new RefusedError(`The base URL of profile ${name} changed while the command ran`, {
          hint: 'Check it with analytics profiles show, then run the command again',
        })
      }
      const profile = withChanges(current, changes, context)
      return { ...before, profiles: { ...before.profiles, [name]: profile } }
    },
    isBare ? `Removed unknown and invalid settings from profile ${name}` : `Changed profile ${name}`,
    profileToRepair,
  )
}

function isReadable(host: Host): boolean {
  try {
    return Boolean(readProfiles(host))
  } catch {
    return false
  }
}

/** At a terminal it prompts for missing settings, and tries the service once. Throws `UsageError` for invalid ones. */
async function changesOf(name: string, before: Profile, options: Editing, context: Context): Promise<Changes> {
  const { host } = context
  const typed = await typedChanges(options, context)
  const { headersFile, caFile } = typed
  if (headersFile) await (await import('../../config/key.ts')).readHeadersFile(headersFile, host)
  if (caFile) await (await import('../../http/transport/transport.ts')).trusting([caFile], host.interrupted)
  return completeChanges(context, name, typed, changes => withChanges(before, changes, context))
}

async function typedChanges(options: Editing, context: Context): Promise<Changes> {
  const { apiKeyStdin, apiKeyCommand, safety, maxDeletes, headersFile, caFile, allowHttp } = options
  const { baseUrl, project, organization, output } = context.config.options
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
  const changes = Object.entries(typed).filter(([, value]) => value !== undefined)
  return Object.fromEntries(changes.map(([name, value]) => [name, value === none ? null : value]))
}

/** Throws `UsageError` for an invalid base URL, and if a secret would go to another host. */
function withChanges(before: Profile, changes: Changes, { values }: Context): Profile {
  const all = Object.entries({ ...before, ...changes }).filter(([, value]) => value !== null)
  const after: Profile = Object.fromEntries(all)
  const { baseUrl } = after
  if (baseUrl === undefined) return after
  const allowHttp = after.allowHttp === true || values.allowHttp === true || changes.baseUrl === undefined
  const address = parseBaseUrl(baseUrl, allowHttp)
  const oldAddress = before.baseUrl === undefined ? address : parseBaseUrl(before.baseUrl, true)
  const refuse = (what: string, hint: string) => {
    throw new UsageError(`The new base URL is on another host, and the ${what} of this profile is never sent there`, {
      hint,
    })
  }
  if (oldAddress.origin !== address.origin) {
    const isKeyNew = changes.apiKey || changes.apiKeyCommand
    if (!isKeyNew) refuse('key', 'Set a key for that host with --api-key-stdin or --api-key-command')
    const isFileLeft = after.headersFile && !changes.headersFile
    if (isFileLeft) refuse('headers file', 'Use --headers-file FILE for that host, or --headers-file none')
  }
  return { ...after, baseUrl: address.href }
}
