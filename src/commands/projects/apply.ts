import type { Client } from '../../api/client.ts'
import { projects } from '../../api/endpoints.ts'
import { defineCommand } from '../../cli/command.ts'
import type { Context } from '../../context.ts'
import { Failure, RefusedError, RejectedError } from '../../errors.ts'
import { codes } from '../../jobs/outcome.ts'
import { isObject } from '../../json/exact.ts'
import { findUnapplied } from '../../operations/change.ts'
import { needsPrompt, type PlannedWrite, passChecks, singleRequest } from '../../runs/checks.ts'
import { promptForConfirmation } from '../../runs/confirm.ts'
import { grouped } from '../../text/grouped.ts'
import {
  type ComparedProject,
  changesData,
  compareSettings,
  describeChanges,
  diffLines,
  findDifferences,
  settingsFiles,
  settingsFor,
} from './diff.ts'

export default defineCommand({
  summary: 'Apply settings files to projects',
  details:
    'Shows the difference, prompts, and sends the fields that differ in one PATCH per project. Fields that are not in the files keep their values. A file with project: 42 needs no ID. All projects are compared before the first one changes.',
  ...settingsFiles,
  examples: [
    'projects apply 1 -f settings.yaml # Show the difference and prompt',
    'projects apply 1 -f base.yaml -f prod.yaml --yes # Merge several files; later ones override',
    'projects apply -f base.yaml -f projects --yes # Apply a folder that has a file per project',
  ],
  async run({ id }, { file }, context) {
    const files = await settingsFor(context, id, file)
    const [first] = files
    const plan: PlannedWrite = {
      ...singleRequest,
      scope: first?.project === undefined ? 'project_id' : undefined,
      requests: [projects.update],
      proposal({ project, serverName }) {
        const { length } = files
        const what = length > 1 ? `${grouped(length)} projects` : `project ${first?.project ?? project()}`
        return `This will change settings of ${what} (${serverName})`
      },
    }
    await passChecks(context, plan, 'start')
    const connection = await context.connect()
    const differing = await findDifferences(context, connection, files)
    if (differing.length === 0) return changesData([], context)
    const { dryRun } = context.values
    if (dryRun) context.messages.notice(`Would change ${describeChanges(differing)}`)
    const isPrompting = needsPrompt(context)
    const confirm = async () => {
      if (isPrompting) await showAndPrompt(differing, context)
    }
    await passChecks(context, { ...plan, confirm }, 'confirm')
    let failure: Failure | undefined
    for (const [at, project] of differing.entries()) {
      try {
        if (isPrompting) await refuseChanged(connection.client, project)
        const message = await sendChanges(connection.client, project)
        if (!dryRun) context.messages.notice(message)
      } catch (error) {
        if (!(error instanceof Failure)) throw error
        failure = error
        if (differing.length > 1) context.messages.problem(describeStop(differing, at))
        break
      }
    }
    const end = () => {
      if (failure) throw failure
    }
    // The terminal already shows the diff, above the prompt.
    const isShown = isPrompting && context.host.stdout.isTerminal
    return { ...changesData(differing, context, isShown), end }
  },
})

function describeStop(differing: readonly ComparedProject[], at: number): string {
  const idsOf = (some: readonly ComparedProject[]) => some.map(({ id }) => id).join(', ') || 'none'
  const [done, pending] = [differing.slice(0, at), differing.slice(at + 1)].map(idsOf)
  return `Stopped at project ${differing[at]?.id}. Done: ${done}. Not started: ${pending}`
}

async function showAndPrompt(differing: readonly ComparedProject[], context: Context): Promise<void> {
  const { reveal } = context.values
  for (const line of diffLines(differing, reveal)) context.messages.print(line, reveal)
  const count = String(differing.length)
  const typed = differing.length > 1 ? { text: count, what: count } : undefined
  await promptForConfirmation(context, `This will change ${describeChanges(differing)}`, typed)
}

/** Throws `RefusedError` if a field of the files changed while the prompt was open. */
async function refuseChanged(client: Client, { id, title, settings, record }: ComparedProject): Promise<void> {
  const current = (await client.record(projects.get, { path: { id } })).value
  const before = settings.map(setting => ({ ...setting, value: record[setting.field] ?? null }))
  const changed = compareSettings(before, current).map(({ field }) => field)
  if (changed.length === 0) return
  throw new RefusedError(`${changed.join(', ')} of ${title} changed while the prompt was open; nothing was sent`, {
    code: codes.conflict,
    attr: changed[0],
    hint: 'Run the command again to see the current diff',
  })
}

/** Returns the message. Throws `RejectedError` if the record in the response lacks a change. */
async function sendChanges(client: Client, project: ComparedProject): Promise<string> {
  const { id, title, record, changes } = project
  const body = Object.fromEntries(changes.map(({ field, to }) => [field, to]))
  const { item, status } = await client.response(client.request(projects.update, { path: { id }, body }))
  const description = describeChanges([project])
  const updated = item?.value
  if (status === 202 || !isObject(updated) || !Object.hasOwn(updated, 'id')) {
    return `Accepted ${description}. The server applies it later: check with projects diff`
  }
  const names = findUnapplied(body, updated, record) ?? []
  if (names.length === 0) return `Changed ${description}`
  throw new RejectedError(`Accepted but not applied: ${names.join(', ')} of ${title}`, {
    code: codes.notApplied,
    attr: names[0],
    hint: `To see the settings: analytics projects get ${id}`,
  })
}
