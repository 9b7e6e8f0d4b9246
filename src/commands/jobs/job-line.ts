/** Command lines for a job or plan, which may belong to another server or project than those in use. */
import { parseBaseUrl } from '../../api/base-url.ts'
import { type Config, configOf } from '../../config/current.ts'
import { serverAndKey } from '../../config/key.ts'
import type { Context } from '../../context.ts'
import { Failure } from '../../errors.ts'
import type { Host } from '../../host.ts'
import type { JobHeader } from '../../jobs/job-header.ts'
import { lineAt } from '../../suggest-command.ts'
import { sandboxBase } from '../../values/url.ts'

interface Place extends Pick<JobHeader, 'base' | 'path'> {
  readonly profile?: string | null | undefined
}

type Given = Config['typed']

/** With the options that lead to its server with a key, once the variables `inTheWay` are unset, and to its project. */
export function lineAtJob(context: Context, { base, profile, path }: Place, words: readonly string[]): string {
  const { typed } = context.config
  const found = waysTo(base, profile, typed)
    .map(given => ({ given, there: placeOf(context, given, base) }))
    .find(({ there }) => there?.base === base)
  const given = found?.given ?? { ...typed, ...server({ baseUrl: base }) }
  const { project_id: project, parent_lookup_organization_id: organization } = path
  const { there } = found ?? {}
  const scope = {
    project: there?.project === project ? given.project : project,
    organization: there?.organization === organization ? given.organization : organization,
  }
  return lineAt(context, { ...given, ...scope }, words)
}

/** Continues a hint: what to unset first, and the line. */
export function adviceAtJob(context: Context, place: Place, words: readonly string[]): string {
  const unset = inTheWay(context.host, place.base)
  const line = lineAtJob(context, place, words)
  return unset.length === 0 ? line : `${line} (unset ${unset.join(' and ')} first)`
}

/** Variables that lead to another server, or whose key belongs to another one. */
function inTheWay({ env }: Pick<Host, 'env'>, base: string): readonly string[] {
  if (base === sandboxBase) return []
  const isElsewhere = Boolean(env.ANALYTICS_BASE_URL) && hrefOf(env.ANALYTICS_BASE_URL ?? '') !== base
  const names = isElsewhere ? ['ANALYTICS_BASE_URL', 'ANALYTICS_API_KEY', 'ANALYTICS_API_KEY_FILE'] : []
  return ['ANALYTICS_SANDBOX', ...names].filter(name => env[name])
}

function hrefOf(address: string): string | undefined {
  try {
    return parseBaseUrl(address, true).href
  } catch {
    return undefined
  }
}

/** From the shortest line to the longest. */
function waysTo(base: string, profile: Place['profile'], typed: Given): readonly Given[] {
  if (base === sandboxBase) return [typed, { ...typed, ...server({ sandbox: true }) }]
  const ofProfile = profile ? [server({ profile })] : []
  return [typed, ...[...ofProfile, server({ baseUrl: base })].map(options => ({ ...typed, ...options }))]
}

function server(given: Pick<Given, 'sandbox' | 'profile' | 'baseUrl'>): Given {
  const none = { sandbox: undefined, profile: undefined, baseUrl: undefined }
  return { ...none, dialect: undefined, faults: undefined, seed: undefined, ...given }
}

/** The sandbox takes it where no project is set. */
export const firstProject = '1'

interface Found {
  readonly base: string
  readonly project: string | undefined
  readonly organization: string | undefined
}

/** Undefined if these options lead to no server, or to one without a key. */
function placeOf({ host }: Context, given: Given, wanted: string): Found | undefined {
  const unset = inTheWay(host, wanted)
  const env = Object.fromEntries(Object.entries(host.env).filter(([name]) => !unset.includes(name)))
  try {
    const config = configOf(given, { ...host, env }, true)
    const { sandbox, project, organization } = config.values
    if (sandbox) return { base: sandboxBase, project: project ?? firstProject, organization }
    return { base: serverAndKey(config, { ...host, env }, () => undefined).base.href, project, organization }
  } catch (error) {
    if (error instanceof Failure) return undefined
    throw error
  }
}
