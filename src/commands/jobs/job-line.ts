/** Command lines for a job or plan, which may belong to another server or project than those in use. */
import type { Context } from '../../cli/command.ts'
import { lineAt } from '../../cli/parsing/suggest-command.ts'
import { Failure } from '../../errors.ts'
import type { JobHeader } from '../../jobs/job.ts'
import { type Settings, settingsOf } from '../../profiles/current.ts'
import { serverAndKey } from '../../profiles/key.ts'
import { sandboxBase } from '../../sandbox/base.ts'

interface Place extends Pick<JobHeader, 'base' | 'path'> {
  readonly profile?: string | null | undefined
}

type Given = Settings['typed']

/** With the options that lead to its server with a key, and to its project. */
export function lineAtJob(context: Context, { base, profile, path }: Place, words: readonly string[]): string {
  const { typed } = context.settings
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

/** From the shortest line to the longest. */
function waysTo(base: string, profile: Place['profile'], typed: Given): readonly Given[] {
  if (base === sandboxBase) return [typed, { ...typed, ...server({ sandbox: true }) }]
  const ofProfile = !profile ? [] : [server({ profile }), server({ profile, baseUrl: base })]
  return [typed, ...[...ofProfile, server({ baseUrl: base })].map(options => ({ ...typed, ...options }))]
}

function server(given: Pick<Given, 'sandbox' | 'profile' | 'baseUrl'>): Given {
  return { sandbox: undefined, profile: undefined, baseUrl: undefined, dialect: undefined, ...given }
}

/** The sandbox takes it where no project is set. */
const firstProject = '1'

interface Found {
  readonly base: string
  readonly project: string | undefined
  readonly organization: string | undefined
}

/** Undefined if these options lead to no server, or to one without a key. */
function placeOf({ host }: Context, given: Given, wanted: string): Found | undefined {
  const { ANALYTICS_SANDBOX, ...others } = host.env
  // `jobs show` says that it must be unset.
  const env = wanted === sandboxBase ? host.env : others
  try {
    const settings = settingsOf(given, { ...host, env }, true)
    const { sandbox, project, organization } = settings.values
    if (sandbox) return { base: sandboxBase, project: project ?? firstProject, organization }
    return { base: serverAndKey(settings, host, () => undefined).base.href, project, organization }
  } catch (error) {
    if (error instanceof Failure) return undefined
    throw error
  }
}
