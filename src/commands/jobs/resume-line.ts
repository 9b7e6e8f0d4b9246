import type { Context } from '../../cli/command.ts'
import { lineAt } from '../../cli/parsing/suggest-command.ts'
import type { Job } from '../../jobs/job.ts'
import { sandboxBase } from '../../sandbox/base.ts'
import { placeInUse } from './jobs-in-use.ts'

/** The job may be of another server or project than those in use. */
export function resumeLine(context: Context, { name, header }: Job): string {
  const { base, profile } = header
  const { project_id: project, parent_lookup_organization_id: organization } = header.path
  const { typed } = context.settings
  const here = placeInUse(context)
  const isHere = here.base === base
  const isSandbox = base === sandboxBase
  const server = {
    sandbox: isSandbox,
    profile: profile ?? undefined,
    baseUrl: isSandbox || profile !== null ? undefined : base,
    dialect: undefined,
  }
  const where = {
    ...typed,
    ...(isHere ? {} : server),
    project: isHere && here.project === project ? typed.project : project,
    organization: isHere && here.organization === organization ? typed.organization : organization,
  }
  return lineAt(context, where, ['jobs', 'resume', name])
}
