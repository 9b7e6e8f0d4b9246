import { parseBaseUrl } from '../../api/base-url.ts'
import { configOf } from '../../config/current.ts'
import type { Context } from '../../context.ts'
import { Failure } from '../../errors.ts'
import type { JobFacts } from '../../jobs/job-header.ts'
import { lineAt } from '../../suggest-command.ts'
import { sandboxBase } from '../../values/url.ts'

interface PlaceInUse {
  readonly base: string
  readonly project: string | undefined
  readonly organization: string | undefined
}

/** Undefined if the settings name no server or cannot be used. */
export function placeInUse({ config, host }: Context): PlaceInUse | undefined {
  try {
    const { sandbox, baseUrl, project, organization } = configOf(config.typed, host, true).values
    // The sandbox takes its first project where none is set.
    if (sandbox) return { base: sandboxBase, project: project ?? '1', organization }
    return baseUrl ? { base: parseBaseUrl(baseUrl, true).href, project, organization } : undefined
  } catch (error) {
    if (error instanceof Failure) return undefined
    throw error
  }
}

/** A command line for a job or a plan, with the options that lead to its server and project. */
export function lineAtJob(
  context: Context,
  { base, path, profile }: Pick<JobFacts, 'base' | 'path'> & { readonly profile?: string | null },
  words: readonly string[],
): string {
  const { typed } = context.config
  const inUse = placeInUse(context)
  const here = inUse?.base === base ? inUse : undefined
  const server = base === sandboxBase ? { sandbox: true } : profile ? { profile } : { baseUrl: base }
  const { project_id: project, parent_lookup_organization_id: organization } = path
  const given = {
    ...(here ? typed : server),
    project: here?.project === project ? typed.project : project,
    organization: here?.organization === organization ? typed.organization : organization,
  }
  return lineAt(context, given, words)
}
