import { resolve } from 'node:path'
import { projects } from '../../api/endpoints.ts'
import { defineCommand } from '../../cli/command.ts'
import { type OptionsOf, option } from '../../cli/options.ts'
import type { Context } from '../../context.ts'
import { UsageError } from '../../errors.ts'
import { checkWritable } from '../../files/private-file.ts'
import type { Shown } from '../../result.ts'
import { valuesOf } from '../../settings/compare.ts'
import { chooseFields } from '../../settings/fields.ts'
import { displayNames } from '../../settings/read.ts'
import { lastingCommandLine } from '../../suggest-command.ts'
import { text } from '../../values/kinds.ts'
import { type Comparison, compareProjects } from './settings/compare-projects.ts'
import { connectForSettings } from './settings/connect-for-settings.ts'
import { changeFields, reportDrift } from './settings/report.ts'
import { comparing, noSettings, projectIds, readSources, type SettingsSources } from './settings/settings-options.ts'

export default defineCommand({
  summary: 'Show what settings files would change in projects',
  details:
    'Exit code 0: nothing would change; 9: something would. Only the fields in the file are compared. With --against it compares two projects, and shows what would make the first like the second. Several ids are compared with the same files; --manifest gives each project its own.',
  calls: [projects.get],
  exits: [9],
  args: { ids: projectIds },
  fields: changeFields,
  options: {
    ...comparing,
    against: option(text, 'ID', 'compare with this project instead of a file'),
  },
  examples: [
    'projects diff 1 -f settings.yaml # With a file',
    'projects diff 1 2 -f settings.yaml --except name # Several projects with a file',
    'projects diff 1 --against 2 # With another project',
    'projects diff --manifest fleet.yaml -o json # All projects of a manifest, as JSON',
  ],
  async run({ ids }, options, context) {
    const { against, file, manifest, markdown, env, onlyProject } = options
    if (against !== undefined) {
      if (manifest !== undefined || ids.length > 1 || [file, env, onlyProject].some(values => values.length > 0)) {
        throw new UsageError('--against compares one project with another, without files', {
          hint: 'Leave out -f, --manifest, --only-project, --env and further ids',
        })
      }
      return diffAgainst(context, ids[0], against, { chosen: chooseFields(options), markdown })
    }
    if (file.length === 0 && manifest === undefined) {
      const [id, other, ...more] = ids
      const two = other !== undefined && more.length === 0
      throw new UsageError('Nothing given to compare with', {
        hint: two
          ? `Did you mean analytics projects diff ${id} --against ${other}?`
          : 'Give -f FILE, --manifest FILE or --against ID',
      })
    }
    const sources = await readSources(context, ids, options)
    const comparison = await compare(context, sources)
    const hint = `Make the changes with: ${applyLine(context, comparison.compared, options)}`
    return reportDrift(comparison, { name: displayNames(sources.names), hint, markdown }, context)
  },
})

type Compared = Comparison['compared']

/** Names the project ids, because another project may be in use later; stdin must be a file by then. */
function applyLine(context: Context, compared: Compared, given: OptionsOf<typeof comparing>): string {
  const { file, manifest, onlyProject, only, except, env, undocumented } = given
  const options = {
    '-f': file.map(path => (path === '-' ? 'FILE' : path)),
    '--manifest': manifest === undefined ? [] : [manifest],
    '--only-project': onlyProject,
    '--only': only,
    '--except': except,
    '--env': env.map(names => names.join()),
  }
  const ids = manifest === undefined ? compared.map(({ id }) => id) : []
  const rows = Object.entries(options).flatMap(([name, values]) => values.flatMap(value => [name, value]))
  if (undocumented) rows.push('--undocumented')
  return lastingCommandLine(context, ['projects', 'apply', ...ids, ...rows])
}

async function compare(
  context: Context,
  sources: Pick<SettingsSources, 'projects' | 'many' | 'variables'>,
): Promise<Comparison> {
  const connection = await connectForSettings(context, sources.projects, sources.variables)
  return compareProjects(context, connection, sources, failure => {
    throw failure
  })
}

async function diffAgainst(
  context: Context,
  id: string | undefined,
  against: string,
  { chosen, markdown }: { readonly chosen: (field: string) => boolean; readonly markdown: string | undefined },
): Promise<Shown> {
  if (markdown !== undefined) checkWritable(resolve(context.host.cwd, markdown), '--markdown')
  const { client } = await context.connect()
  const record = (await client.record(projects.get, { path: { id: against } })).value
  const values = new Map([...valuesOf(record)].filter(([field]) => chosen(field)))
  const one = [{ id, desired: { ...noSettings, values } }]
  const comparison = await compare(context, { projects: one, many: false, variables: [] })
  return reportDrift(comparison, { name: `project ${against}`, hint: undefined, markdown }, context)
}
