import { resolve } from 'node:path'
import { defineCommand } from '../../cli/command.ts'
import { option } from '../../cli/options.ts'
import type { Connection, Context } from '../../context.ts'
import { Failure, PartialError, UnavailableError, UsageError } from '../../errors.ts'
import { codes } from '../../jobs/outcome.ts'
import { isConsistent, type Receipt, type ReceiptOutcome, readReceipt } from '../../jobs/receipts/receipt.ts'
import { runParallel } from '../../jobs/run-parallel.ts'
import type { Operation } from '../../operations/operation.ts'
import { listDocument } from '../../output/document.ts'
import { rowView } from '../../output/views.ts'
import { differing } from '../../runs/checks/elsewhere.ts'
import { refuseSameFile } from '../../runs/checks/same-file.ts'
import { forRun } from '../../runs/place.ts'
import { createProof } from '../../runs/steps/proof.ts'
import { commandLine } from '../../suggest-command.ts'
import { grouped } from '../../text/grouped.ts'
import { readableMoment } from '../../text/moment.ts'
import { isId } from '../../values/ids.ts'
import { inputFile, text } from '../../values/kinds.ts'

const concurrency = 8

const fields = { id: text, status: text }

type Status = 'gone' | 'there' | 'events-not-queued' | 'not-attempted' | 'unknown'

export default defineCommand({
  summary: 'Check that the persons of a receipt are gone',
  details:
    'It looks up each person. Before and after that it reads a list of the project: if the service does not answer it, nothing is known (exit code 7). Exit code 0: all are gone and the receipt is complete; 8: not all. The service does not tell whether their events are gone.',
  args: {},
  options: { receipt: option(inputFile, 'FILE', 'the file that persons delete --receipt wrote') },
  examples: ['persons verify --receipt deleted.json # After a deletion with --receipt deleted.json'],
  async run(_, { receipt: file }, context) {
    if (file === undefined) throw new UsageError('No receipt given', { hint: 'Give --receipt FILE' })
    refuseSameFile(context, { '--receipt': file })
    const receipt = await readReceipt(resolve(context.host.cwd, file), context.host.interrupted)
    const connection = forRun(await context.connect())
    await refuseOtherServer(connection, receipt)
    const statuses = await look(connection, receipt)
    const rows = receipt.outcomes.map(({ id }, i) => ({ id, status: statuses[i] }))
    const document = listDocument(rows, rowView(Object.keys(fields)))
    return { data: document, end: () => conclude(context, connection, receipt, statuses) }
  },
})

function conclude(context: Context, connection: Connection, receipt: Receipt, statuses: readonly Status[]): void {
  const { messages } = context
  const found = (status: Status) => statuses.filter(one => one === status).length
  const left = (['there', 'events-not-queued', 'not-attempted', 'unknown'] as const).filter(status => found(status) > 0)
  const doubt = doubtOf(context, receipt)
  if (left.length === 0 && !doubt) {
    messages.notice(allGone(statuses.length))
    if (receipt.events?.queued) messages.notice(eventsOf(receipt.events.due_at, connection.now()))
    return
  }
  const are = found('gone') === 1 ? 'is' : 'are'
  const how = receipt.events ? ' with their events queued' : ''
  const parts = [
    `${grouped(found('gone'))} of ${grouped(statuses.length)} ${are} gone${how}`,
    left.map(status => `${grouped(found(status))} ${words[status]}`).join(', '),
    doubt?.says ?? '',
  ]
  const advice = left.some(status => status !== 'events-not-queued')
    ? 'A server may take a while; check again later, then delete what is left with --from'
    : 'The service queues no events of a person who is gone; ask its operator to delete them'
  throw new PartialError(parts.filter(part => part !== '').join('. '), { hint: doubt?.hint ?? advice })
}

const words: Readonly<Record<Exclude<Status, 'gone'>, string>> = {
  there: 'still there',
  'events-not-queued': 'gone, their events not queued',
  'not-attempted': 'not attempted',
  unknown: 'unknown',
}

function allGone(count: number): string {
  if (count === 0) return 'The receipt names no persons'
  return count === 1 ? 'The person is gone' : `All ${grouped(count)} are gone`
}

function eventsOf(due: string, now: number): string {
  return `Their events ${Date.parse(due) > now ? 'are' : 'were'} due to be deleted at ${readableMoment(due) ?? due}`
}

/** An edited receipt may hold any value. */
function doubtOf(context: Context, receipt: Receipt): { readonly says: string; readonly hint: string } | undefined {
  const job = typeof receipt.job === 'string' ? receipt.job : undefined
  const command = (...words: string[]) => commandLine(context, ['jobs', ...words])
  if (!isConsistent(receipt)) {
    return {
      says: 'The receipt was changed: its outcomes do not fit its targets or its counts',
      hint: job ? `Write it again with ${command('receipt', job)} > FILE` : 'Give the file as it was written',
    }
  }
  if (receipt.complete === true && receipt.outcomes.every(({ status }) => status !== 'left')) return undefined
  return {
    says: 'The receipt is not complete',
    hint: job ? `Go on with ${command('resume', job)}` : 'Run the deletion again with --receipt',
  }
}

async function look({ client }: Connection, receipt: Receipt): Promise<readonly Status[]> {
  const path = { project_id: receipt.path.project_id ?? '' }
  const operation: Operation = { command: 'persons delete', path, values: { deleteEvents: false, batch: undefined } }
  const proof = createProof(client, operation)
  const refuseUnlisted = () =>
    proof.list().catch((cause: unknown) => {
      if (!(cause instanceof Failure)) throw cause
      throw new UnavailableError('Cannot tell who is gone: the project does not answer its list', {
        ...cause.facts,
        retryable: true,
        cause,
      })
    })
  await refuseUnlisted()
  const found: Status[] = []
  await runParallel(receipt.outcomes.entries(), concurrency, async ([index, outcome]) => {
    const { id, status } = outcome
    const isThere = isId('persons', id) ? await proof.exists(id).catch(orUnknown) : undefined
    if (isThere === undefined) found[index] = 'unknown'
    else if (!isThere && (!receipt.events || hasQueued(outcome))) found[index] = 'gone'
    else if (status === 'left') found[index] = 'not-attempted'
    else found[index] = isThere ? 'there' : withoutEvents(outcome)
  })
  // A gateway may have begun to answer 404 to everything.
  await refuseUnlisted()
  return found
}

/** Tells whether the run queued the person's events. Other failures may come from reads, so they do not count. */
function hasQueued({ status, error }: ReceiptOutcome): boolean {
  return status === 'deleted' || (status === 'failed' && error?.code === codes.stillThere)
}

function withoutEvents({ error }: ReceiptOutcome): Status {
  return error?.code === codes.eventsUnknown ? 'unknown' : 'events-not-queued'
}

/** A failed request leaves this person unknown, but a refused key ends the command. */
function orUnknown(error: unknown): undefined {
  if (error instanceof UnavailableError || (error instanceof Failure && error.exit === 5)) return undefined
  throw error
}

/** In another project, all persons would seem to be gone. */
async function refuseOtherServer(connection: Connection, { base_url: base, path }: Receipt): Promise<void> {
  const fact = await differing(connection, { command: 'persons delete', base, path })
  if (!fact) return
  const { called, here, there } = fact
  throw new UsageError(`The receipt is of ${called} ${there ?? 'none'}, not of ${called} ${here ?? 'none'}`, {
    hint: 'Give the profile, project or base URL that it was written for',
  })
}
