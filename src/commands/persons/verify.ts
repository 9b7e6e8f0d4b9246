import { defineCommand } from '../../cli/command.ts'
import { conflicting, flag, option } from '../../cli/options.ts'
import type { Connection, Context } from '../../context.ts'
import { AuthError, Failure, InterruptedError, PartialError, UnavailableError, UsageError } from '../../errors.ts'
import { journalOf, readTargets } from '../../jobs/job.ts'
import { codes } from '../../jobs/outcome.ts'
import { printReceipt, type ReadReceipt, readReceipt, receiptIn, receiptOf } from '../../jobs/receipt.ts'
import { runParallel } from '../../jobs/run-parallel.ts'
import { collections } from '../../operations/collections.ts'
import { listDocument } from '../../output/document.ts'
import { rowView } from '../../output/views.ts'
import { refuseElsewhere, withLongWaits } from '../../runs/place.ts'
import { createLists } from '../../runs/steps/proof.ts'
import { readTarget } from '../../runs/steps/read-target.ts'
import { grouped } from '../../text/grouped.ts'
import { isId } from '../../values/ids.ts'
import { inputFile } from '../../values/kinds.ts'
import { chosenJob } from '../jobs/choose-job.ts'

const concurrency = 8

type Status = 'gone' | 'there' | 'unknown'

export default defineCommand({
  summary: 'Check whether the persons of a receipt are gone',
  details:
    'Each person is looked up. Exit code 0: all are gone, and the run was complete; 8: some are not, or that cannot be told. The service does not tell whether their events are gone.',
  args: {},
  options: {
    receipt: conflicting(option(inputFile, 'FILE', 'read the file that persons delete --receipt wrote'), 'last'),
    last: flag('check the newest job of this server and project'),
  },
  examples: ['persons verify --receipt deleted.json # Check the persons of a receipt'],
  async run(_, { receipt: file, last }, context) {
    const receipt = last ? await lastReceipt(context) : await givenReceipt(context, file)
    const connection = withLongWaits(await context.connect())
    const of = collections.persons
    await refuseElsewhere(connection, receipt, of, 'The receipt')
    const statuses = await look(connection, receipt)
    const rows = receipt.outcomes.map(({ id }, i) => ({ id, status: statuses[i] }))
    const document = listDocument(rows, rowView(['id', 'status']))
    return { data: document, end: () => conclude(context, receipt, statuses) }
  },
})

async function lastReceipt(context: Context): Promise<ReadReceipt> {
  const job = await chosenJob(context, undefined, true)
  const text = [...printReceipt(receiptOf(job.head, journalOf(job), readTargets(job)))].join('')
  return receiptIn(text, `Job ${job.name}`)
}

function givenReceipt({ host }: Context, file: string | undefined): Promise<ReadReceipt> {
  if (file === undefined) throw new UsageError('No receipt given', { hint: 'Give --receipt FILE, or --last' })
  return readReceipt(host, file)
}

async function look({ client }: Connection, { path, outcomes }: ReadReceipt): Promise<readonly Status[]> {
  const of = collections.persons
  const lists = createLists(client, of, path)
  const statuses: Status[] = []
  const [first] = outcomes
  let isDistinct = false
  if (first) isDistinct = orRefuse(await lists.readNamed({ by: 'distinctId', name: first.id })).length > 0
  await runParallel(outcomes.entries(), concurrency, async ([index, { id, error }]) => {
    if (!isId('persons', id)) {
      statuses[index] = 'unknown'
      return
    }
    const read = await readTarget({ client, scope: path, of, hasSucceeded: false }, id)
    if (read.is === 'there') statuses[index] = 'there'
    // A person who was merged into another one lives on under that id, which no receipt tells.
    else if (read.is === 'look') statuses[index] = error === codes.foundAgain ? 'unknown' : 'gone'
    else if (read.is === 'failed' || read.failure.exit === 5 || read.failure.exit === 7) statuses[index] = 'unknown'
    // A refused key ends the command.
    else throw read.failure
  })
  // A gateway may have begun to answer 404 to everything.
  orRefuse(await lists.read())
  // The receipt names persons by their distinct ids.
  if (isDistinct) statuses[0] = 'there'
  return statuses
}

function orRefuse<T>(listed: T | Failure): T {
  if (!(listed instanceof Failure)) return listed
  if (listed instanceof AuthError || listed instanceof InterruptedError) throw listed
  throw new UnavailableError('Cannot verify: the list of persons of the project did not respond', {
    ...listed.facts,
    retryable: true,
    cause: listed,
  })
}

function conclude({ messages }: Context, { outcomes, deletesEvents }: ReadReceipt, statuses: readonly Status[]): void {
  const count = (status: Status) => statuses.filter(one => one === status).length
  const unqueued = outcomes.filter(({ error }) => error === codes.eventsUnknown).length
  const left = outcomes.filter(({ status }) => status === 'left').length
  const doubts = [
    [count('there'), 'still there'],
    [count('unknown'), 'unknown'],
    [unqueued, 'whose events may not be queued (events-unknown)'],
    [left, 'not attempted: the run was not complete'],
  ] as const
  const said = doubts.flatMap(([number, what]) => (number > 0 ? [`${grouped(number)} ${what}`] : []))
  const gone = `${grouped(count('gone'))} of ${grouped(statuses.length)} are gone`
  if (said.length > 0) {
    const hint = outcomes.some(({ error }) => error === codes.foundAgain)
      ? 'Those with found-again in the receipt have another id now: find them by email or distinct id'
      : unqueued > 0
        ? 'Ask the operator of the service to delete their events'
        : 'A server may take a while: look again later'
    throw new PartialError(`${gone}: ${said.join(', ')}`, { hint })
  }
  messages.notice(statuses.length === 0 ? 'The receipt names no persons' : gone)
  if (!deletesEvents && statuses.length > 0) messages.notice('Their events stay')
}
