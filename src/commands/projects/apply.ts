import { projects } from '../../api/endpoints.ts'
import { findUnapplied } from '../../api/verify-applied.ts'
import { type Context, defineCommand, type Result } from '../../cli/command.ts'
import { asks, confirm, refuseUnanswerable } from '../../cli/confirm.ts'
import { flag, optionalArgument } from '../../cli/options.ts'
import { RefusedError, RejectedError, UsageError } from '../../errors.ts'
import { bodyOf, type Change, concealed, diff, type ProjectRecord } from '../../settings/diff.ts'
import { draw } from '../../settings/draw.ts'
import { namesOf } from '../../settings/file.ts'
import { readWanted, type Wanted } from '../../settings/read.ts'
import {
  briefly,
  compared,
  counted,
  markdownOption,
  readRecord,
  recordOf,
  type Summary,
  shown,
  summarized,
  type Target,
  targetOf,
} from './changes.ts'
import { fileOption } from './file-option.ts'

export default defineCommand({
  summary: 'Apply a settings file to a project',
  details:
    'Shows the difference, asks, and sends the fields that differ in one PATCH. The answer is compared with what was asked: a field that the service accepted and did not apply is named, and the exit code is 5. Fields that are not in the file stay as they are.',
  calls: [projects.get, projects.update],
  args: { id: optionalArgument('ID', 'id of the project; left out: the project in use') },
  options: {
    ...fileOption,
    check: flag('change nothing; exit code 9 if anything would change'),
    ...markdownOption,
  },
  examples: [
    'projects apply 1 -f settings.yaml',
    'projects apply 1 -f base.yaml -f prod.yaml --yes',
    'projects apply 1 -f settings.yaml --check --markdown summary.md',
  ],
  async run({ id: named }, { file, check, markdown }, context) {
    if (file.length === 0) throw new UsageError('No settings file was given', { hint: 'Give -f FILE' })
    const wanted = await readWanted(context.host, file)
    return summarized(context, markdown, async summary => {
      const target = await targetOf(context, named)
      const { client, id, where } = target
      if (!check) refuseUnanswerable(context.host, context.values, `Changing settings of ${where}`)
      const record = await readRecord(client, id)
      const changes = diff(wanted, record)
      if (check || changes.length === 0) {
        const hint = 'Run it without --check to make the changes'
        return compared({ where, other: namesOf(file), hint }, changes, summary, context)
      }
      await agree(target, wanted, record, changes, context)
      return make(target, changes, summary, context)
    })
  },
})

/** Shows the changes to whoever is asked, and in a dry run; asks, and looks whether the project is still the same. */
async function agree(
  { client, id, where }: Target,
  wanted: Wanted,
  record: ProjectRecord,
  changes: readonly Change[],
  context: Context,
): Promise<void> {
  const { host, values, messages } = context
  if (!asks(values) && !values.dryRun) return
  for (const line of draw(concealed(changes), false).trimEnd().split('\n')) messages.say(line)
  if (!asks(values)) return
  await confirm(host, values, { doing: `Changing ${counted(changes)} of ${where}`, answer: 'yes' })
  const before = new Map([...wanted.keys()].map(field => [field, record[field]]))
  const moved = diff(before, await readRecord(client, id)).map(({ field }) => field)
  if (moved.length === 0) return
  throw new RefusedError(`Somebody changed ${moved.join(', ')} of ${where} in the meantime; nothing was sent`, {
    attr: moved[0],
    hint: 'Run it again to see the difference as it is now',
  })
}

/** Whether the changes stand above the question already, on the same terminal and in the same form. */
function isSeen({ host, values }: Context): boolean {
  const { output = 'table', outputFile, reveal, fields } = values
  return asks(values) && host.stdout.isTerminal && output === 'table' && !outputFile && !reveal && !fields
}

/** Sends the changes and compares the answer, so that what was ignored is not taken for done. */
async function make(
  { client, id, where }: Target,
  changes: readonly Change[],
  summary: Summary,
  context: Context,
): Promise<Result> {
  const { messages, values } = context
  const body = bodyOf(changes)
  const answer = await client.one(client.request(projects.update, { path: { id }, rawBody: body }))
  if (values.dryRun) {
    await summary.write(`Would change ${counted(changes)} of ${where}`, changes)
    return shown(changes, context, () => undefined)
  }
  const ignored = findUnapplied(body, answer ? recordOf(answer) : await readRecord(client, id))
  const remarks = ignored.map(({ field, wanted, got }) => {
    const from = changes.find(change => change.field === field)?.from
    const [was, asked, is] = [from, wanted, got].map(value => briefly(field, value))
    return `${field} was ${was}, ${asked} was asked for, and it is ${is}`
  })
  const done = changes.length - ignored.length
  const heading = `Changed ${ignored.length === 0 ? '' : `${done} of `}${counted(changes)} of ${where}`
  await summary.write(heading, changes, remarks)
  const afterwards = () => {
    for (const remark of remarks) messages.warn(remark)
    if (ignored.length === 0) return messages.notice(heading)
    const fields = ignored.map(({ field }) => field)
    throw new RejectedError(`The service accepted and did not apply ${fields.join(', ')}`, {
      attr: fields[0],
      hint: done > 0 ? 'The other changes were made' : 'Nothing was changed',
    })
  }
  return isSeen(context) ? { text: '', afterwards } : shown(changes, context, afterwards)
}
