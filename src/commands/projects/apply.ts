import { effectOf } from '../../api/effects.ts'
import { projects } from '../../api/endpoints.ts'
import { defineCommand } from '../../cli/command.ts'
import { flag, option } from '../../cli/options.ts'
import { needsConsent, requestConsent } from '../../consent.ts'
import type { Connection, Context } from '../../context.ts'
import { refuseWithoutBackup, refuseWrite } from '../../runs/checks/limits.ts'
import { drawChanges } from '../../settings/draw.ts'
import { displayNames } from '../../settings/read.ts'
import { newFile } from '../../values/kinds.ts'
import { applyChanges, endsApply } from './settings/apply-changes.ts'
import { type ComparedProject, compareProjects, maskedChanges } from './settings/compare-projects.ts'
import { connectForSettings } from './settings/connect-for-settings.ts'
import { preparePrevious, refuseLostValues } from './settings/previous-settings.ts'
import { changeFields, countProjects, countSettings, reportDrift } from './settings/report.ts'
import { failAfterAll, reportApplied } from './settings/report-applied.ts'
import { comparing, type ProjectSettings, projectIds, readSources } from './settings/settings-options.ts'

export default defineCommand({
  summary: 'Apply settings files to projects',
  details:
    'Shows the difference, asks, and sends the fields that differ in one PATCH for each project. The answer is compared with what was asked: a field that the service accepted and did not apply is named, and the exit code is 5. Fields that are not in the file stay as they are. Several ids get the same files; --manifest gives each project its own. All files are read and all projects compared before anything is changed.',
  calls: [projects.get, projects.update],
  exits: [8, 9],
  args: { ids: projectIds },
  fields: changeFields,
  options: {
    ...comparing,
    check: flag('change nothing; exit code 9 if anything would change'),
    keepGoing: flag('go on with the other projects after a failure; then the exit code is 8'),
    previous: option(
      newFile,
      'FILE',
      'first save the fields as they are, secrets included; a folder for many projects',
    ),
  },
  examples: [
    'projects apply 1 -f settings.yaml # Show the difference, ask, and send it',
    'projects apply 1 -f base.yaml -f prod.yaml --yes # Several files, the later ones win',
    'projects apply --manifest fleet.yaml --yes # All projects of a manifest',
    'projects apply 1 -f settings.yaml --check --markdown summary.md # In CI: send nothing, write a summary',
  ],
  async run({ ids }, options, context) {
    const { check, markdown } = options
    const sources = await readSources(context, ids, options)
    const { projects: settings, many, names } = sources
    const keepGoing = options.keepGoing && many
    const save = check ? () => undefined : preparePrevious(context, options.previous, sources, markdown)
    const connection = await connectForSettings(context, settings, sources.variables)
    if (!check) {
      refuseWrite(context, write, { doing: describeTask(settings, connection), isAsked: true })
      refuseWithoutBackup(context, '--previous', options.previous)
    }
    const comparison = await compareProjects(context, connection, sources, failure => {
      if (endsApply(failure, keepGoing)) throw failure
      context.messages.fault(failure.message)
    })
    const { compared, unread } = comparison
    const differing = compared.filter(({ changes }) => changes.length > 0)
    if (check || (differing.length === 0 && unread.length === 0)) {
      const hint = 'Run it without --check to make the changes'
      const result = await reportDrift(comparison, { name: displayNames(names), hint, markdown }, context)
      return unread.length === 0 ? result : { ...result, conclude: () => failAfterAll(unread.length, settings.length) }
    }
    if (options.previous !== undefined) refuseLostValues(differing)
    const hasAsked = await agree(differing, many, context)
    save(differing)
    // One project with --yes needs no second comparison: the PATCH follows at once.
    const manner = { keepGoing, readsAgain: many || hasAsked }
    const run = await applyChanges(connection.client, context, differing, manner)
    return reportApplied(run, comparison, markdown, context)
  },
})

/** Safety levels are checked before anything is read. */
const write = { ...projects.update, ...effectOf(projects.update, {}) }

function describeTask(projects: readonly ProjectSettings[], connection: Connection): string {
  const what = projects.length > 1 ? countProjects(projects) : `project ${projects[0]?.id ?? connection.project()}`
  return `Changing settings of ${what} (${connection.serverName})`
}

/** Shows the difference and asks, if it is needed. Returns whether it asked. */
async function agree(differing: readonly ComparedProject[], many: boolean, context: Context): Promise<boolean> {
  const isAsking = needsConsent(context, { isAsked: true }) !== 'none'
  if (isAsking || context.values.dryRun) preview(differing, many, context)
  const [first] = differing
  if (first) {
    const count = String(differing.length)
    const all = countProjects(differing)
    const doing = `Changing ${many ? all : `${countSettings(first.changes)} of ${first.where}`}`
    const typed = many ? { text: count, what: count, to: `change ${all}` } : undefined
    await requestConsent(context, { doing, isAsked: true, typed })
  }
  return isAsking
}

function preview(differing: readonly ComparedProject[], many: boolean, context: Context): void {
  const { messages } = context
  for (const project of differing) {
    if (many) messages.say(`${project.where}:`)
    for (const line of drawChanges(maskedChanges(project, context), false).trimEnd().split('\n')) messages.say(line)
  }
}
