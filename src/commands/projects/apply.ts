import type { Client } from '../../api/client.ts'
import { effectOf } from '../../api/effects.ts'
import { projects } from '../../api/endpoints.ts'
import { defineCommand } from '../../cli/command.ts'
import { needsQuestion, requestConsent } from '../../consent.ts'
import type { Context } from '../../context.ts'
import { Failure, RefusedError, RejectedError } from '../../errors.ts'
import { codes } from '../../jobs/outcome.ts'
import { isObject, type JsonObject } from '../../json/exact.ts'
import { findUnapplied } from '../../operations/change.ts'
import { compareSettings, patchBody } from '../../project-settings/compare.ts'
import { drawChanges } from '../../project-settings/draw.ts'
import { isTable } from '../../result.ts'
import { refuseWrite } from '../../runs/checks.ts'
import {
  type ComparedProject,
  changesData,
  compareProjects,
  countProjects,
  countSettings,
  fileOption,
  projectArgument,
  settingsFor,
} from './settings.ts'

export default defineCommand({
  summary: 'Apply settings files to projects',
  details:
    'Shows the difference, prompts, and sends the fields that differ in one PATCH per project. Fields that are not in the files keep their values. If the service accepts a field but does not apply it, the exit code is 5. A file with project: 42 needs no ID. All projects are compared before the first one changes.',
  args: { id: projectArgument },
  options: { file: fileOption },
  examples: [
    'projects apply 1 -f settings.yaml # Show the difference and prompt',
    'projects apply 1 -f base.yaml -f prod.yaml --yes # Merge several files; later ones override',
    'projects apply -f base.yaml -f projects --yes # Apply a folder that has a file per project',
  ],
  async run({ id }, { file }, context) {
    const files = await settingsFor(context, id, file)
    const connection = await context.connect()
    const [first] = files
    const what = files.length > 1 ? countProjects(files) : `project ${first?.project ?? connection.project()}`
    const doing = `Changing settings of ${what} (${connection.serverName})`
    refuseWrite(context, { ...projects.update, ...effectOf(projects.update, {}) }, { doing, isAsked: true, deletes: 0 })

    const compared = await compareProjects(context, connection, files)
    const differing = compared.filter(({ changes }) => changes.length > 0)
    if (differing.length === 0) {
      const where = compared.length > 1 ? countProjects(compared) : compared[0]?.title
      return { ...changesData([], context), end: () => context.messages.notice(`No changes in ${where}`) }
    }
    if (context.values.dryRun) {
      context.messages.notice(`Would change ${describe(differing)}`)
      for (const project of differing) await send(connection.client, project)
      return changesData(differing, context)
    }

    const hasAsked = await agree(differing, context)
    let failure: Failure | undefined
    for (const [at, project] of differing.entries()) {
      try {
        if (hasAsked) await refuseChanged(connection.client, project)
        verify(project, await send(connection.client, project), context)
      } catch (error) {
        if (!(error instanceof Failure)) throw error
        failure = error
        if (differing.length > 1) context.messages.fault(whereStopped(differing, at))
        break
      }
    }
    const end = () => {
      if (failure) throw failure
    }
    return { ...changesData(differing, context, hasAsked && isSeen(context)), end }
  },
})

function whereStopped(differing: readonly ComparedProject[], at: number): string {
  const named = (some: readonly ComparedProject[]) => some.map(({ id }) => id).join(', ') || 'none'
  const [done, stopped, left] = [differing.slice(0, at), differing.slice(at, at + 1), differing.slice(at + 1)].map(
    named,
  )
  return `Stopped at project ${stopped}. Done: ${done}. Not begun: ${left}`
}

/** Shows the difference and asks, if that is needed. Returns whether it asked. */
async function agree(differing: readonly ComparedProject[], context: Context): Promise<boolean> {
  if (!needsQuestion(context, true)) return false
  const { reveal } = context.values
  for (const project of differing) {
    for (const line of drawChanges(project, reveal)) context.messages.say(line, reveal)
  }
  const count = String(differing.length)
  const typed = differing.length > 1 ? { text: count, what: count, to: `change ${describe(differing)}` } : undefined
  await requestConsent(context, { doing: `Changing ${describe(differing)}`, isAsked: true, typed })
  return true
}

function describe(differing: readonly ComparedProject[]): string {
  const [only, second] = differing
  return second || !only ? countProjects(differing) : `${countSettings(only.changes)} of ${only.title}`
}

/** True if the same terminal already shows the difference, above the question. */
function isSeen({ host, values }: Context): boolean {
  return host.stdout.isTerminal && isTable(values)
}

/** Throws `RefusedError` if somebody changed a field of the files while the question stood. */
async function refuseChanged(client: Client, { id, title, settings, record }: ComparedProject): Promise<void> {
  const now = (await client.record(projects.get, { path: { id } })).value
  const before = settings.map(setting => ({ ...setting, value: record[setting.field] ?? null }))
  const changed = compareSettings(before, now).map(({ field }) => field)
  if (changed.length === 0) return
  throw new RefusedError(`Somebody changed ${changed.join(', ')} of ${title} in the meantime; nothing was sent to it`, {
    code: codes.conflict,
    attr: changed[0],
    hint: 'Run it again to see the difference as it is now',
  })
}

/** The record in the answer; undefined where a service accepts the change for later, and shows no record yet. */
async function send(client: Client, { id, changes }: ComparedProject): Promise<JsonObject | undefined> {
  const request = client.request(projects.update, { path: { id }, rawBody: patchBody(changes) })
  const { item, status } = await client.answer(request)
  const answer = item?.value
  return status !== 202 && isObject(answer) && Object.hasOwn(answer, 'id') ? answer : undefined
}

function verify(
  { title, changes, record }: ComparedProject,
  answer: JsonObject | undefined,
  { messages }: Context,
): void {
  const what = `${countSettings(changes)} of ${title}`
  const names = answer ? (findUnapplied(patchBody(changes), answer, record) ?? []) : []
  if (names.length === 0) {
    messages.notice(answer ? `Changed ${what}` : `Accepted ${what}; see later with analytics projects diff`)
    return
  }
  const them = names.length === 1 ? 'it' : 'them'
  throw new RejectedError(`The service accepted ${names.join(', ')} of ${title}, and did not apply ${them}`, {
    code: codes.notApplied,
    attr: names[0],
    hint: names.length < changes.length ? 'The other changes were made' : 'Read the project to see how it is now',
  })
}
