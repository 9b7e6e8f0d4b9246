import type { Client } from '../../api/client.ts'
import { conflicting, defineCommand, flag, option } from '../../cli/command.ts'
import type { Context } from '../../context.ts'
import { AuthError, Failure, InterruptedError, PartialError, UnavailableError, UsageError } from '../../errors.ts'
import { readInput } from '../../files/read-input.ts'
import { journalOf, readTargets } from '../../jobs/job.ts'
import { codes } from '../../jobs/outcome.ts'
import { printReceipt, type ReadReceipt, receiptIn, receiptOf } from '../../jobs/receipt.ts'
import { runParallel, withLongWaits } from '../../jobs/run-parallel.ts'
import type { Messages } from '../../messages/messages.ts'
import { collections, type Scope } from '../../operations/collections.ts'
import { listDocument, rowView } from '../../output/views.ts'
import { requireSameProject } from '../../runs/scope.ts'
import { createLists } from '../../runs/steps/proof.ts'
import { readTarget } from '../../runs/steps/read-target.ts'
import { countOf, grouped } from '../../text/grouped.ts'
import { momentText } from '../../text/moment.ts'
import { isId } from '../../values/ids.ts'
import { nextEventDeletion } from '../../values/instant.ts'
import { inputFile } from '../../values/kinds.ts'
import { chooseJob } from '../jobs/choose-job.ts'
import { createStatusReader } from './deletion-status.ts'

const concurrency = 8

/** A million outcomes take 130 MB. */
const mostReceiptBytes = 200 * 1024 * 1024

type ReadOutcome = ReadReceipt['outcomes'][number]

type Status = 'gone' | 'there' | 'returned' | 'unknown'

type ReadEvents = ReturnType<typeof createStatusReader>

interface Verified {
  readonly outcome: ReadOutcome
  readonly status: Status
  /** Null unless the person is gone and the run deleted events. */
  readonly events: Awaited<ReturnType<ReadEvents>>
}

export default defineCommand({
  summary: 'Check whether the persons of a receipt and their events are deleted',
  details:
    'Reads each person. If the run deleted events too, newer servers report their state: completed, pending or unknown. The exit code is 0 if the run was complete, all persons are deleted, and no events are pending; else 8.',
  options: {
    receipt: conflicting(option(inputFile, 'FILE', 'receipt file of persons delete'), 'last'),
    last: flag('use the newest job of this server and project'),
  },
  examples: ['persons verify --receipt deleted.json # Check the persons of a receipt'],
  async run(_, { receipt: file, last }, context) {
    const receipt = await receiptFor(context, file, last)
    const connection = withLongWaits(await context.connect())
    await requireSameProject(connection, receipt, collections.persons, 'The receipt')
    const { client } = connection
    const areKept = receipt.events === 'kept'
    const verified = await checkPersons(client, receipt, createStatusReader(client, receipt))
    const rows = verified.map(({ outcome: { id }, status, events }) => ({ id, status, ...(areKept ? {} : { events }) }))
    const fields = ['id', 'status', ...(areKept ? [] : ['events'])]
    return { data: listDocument(rows, rowView(fields)), end: () => reportResult(context, receipt, verified) }
  },
})

async function receiptFor(context: Context, file: string | undefined, last: boolean): Promise<ReadReceipt> {
  if (last) {
    const job = await chooseJob(context, undefined, last)
    const text = [...printReceipt(receiptOf(job.header, journalOf(job), readTargets(job)))].join('')
    return receiptIn(text, `Job ${job.name}`)
  }
  if (file === undefined) throw new UsageError('No receipt given', { hint: 'Use --receipt FILE or --last' })
  const where = `--receipt ${file}`
  return receiptIn(await readInput(context.host, { file, where, maxBytes: mostReceiptBytes }), where)
}

/**
 * A person who returned has a new number and the same UUID. Servers that report deletions can read UUIDs. For others only
 * numbers are read, since a 404 for a UUID proves nothing. If events were kept, both are read.
 */
async function idsToRead(
  { outcomes }: ReadReceipt,
  readEvents: ReadEvents,
): Promise<(outcome: ReadOutcome) => readonly string[]> {
  const events = await readEvents(outcomes.find(({ uuid }) => uuid !== undefined)?.uuid)
  if (events === null) return ({ id, uuid = id }) => (uuid === id.toLowerCase() ? [id] : [id, uuid])
  return ({ id, uuid = id }) => (events === 'unknown' ? [id] : [uuid])
}

async function checkPersons(
  client: Client,
  receipt: ReadReceipt,
  readEvents: ReadEvents,
): Promise<readonly Verified[]> {
  const { path, outcomes } = receipt
  const idsOf = await idsToRead(receipt, readEvents)
  const lists = createLists(client, collections.persons, path)
  const [first] = outcomes
  const personsWithFirstId = first ? orRefuse(await lists.readNamed({ by: 'distinctId', name: first.id })) : []
  // If so, the receipt does not hold ids.
  const isDistinctId = personsWithFirstId.length > 0
  const verified: Verified[] = []
  await runParallel(outcomes.entries(), concurrency, async ([index, outcome]) => {
    const isThere = outcome === first && isDistinctId
    const status = isThere ? 'there' : await checkPerson(client, path, outcome, idsOf(outcome))
    verified[index] = { outcome, status, events: status === 'gone' ? await readEvents(outcome.uuid) : null }
  })
  // A gateway may have started to respond with 404 to everything.
  orRefuse(await lists.read())
  return verified
}

function orRefuse<T>(listed: T | Failure): T {
  if (!(listed instanceof Failure)) return listed
  if (listed instanceof AuthError || listed instanceof InterruptedError) throw listed
  throw new UnavailableError('Cannot verify: the list of persons of the project did not respond', {
    ...listed.details,
    retryable: true,
    cause: listed,
  })
}

async function checkPerson(
  client: Client,
  scope: Scope,
  { id, error, at }: ReadOutcome,
  ids: readonly string[],
): Promise<Status> {
  if (!isId('persons', id)) return 'unknown'
  for (const one of ids) {
    const read = await readTarget({ client, scope }, collections.persons, one)
    if (read.is === 'there') return Date.parse(String(read.record.value.created_at)) > at ? 'returned' : 'there'
    if (read.is === 'look') continue
    // A refused key ends the command. After another failure only this person is unknown.
    if (read.failure.exit === 5 || read.failure.exit === 7) return 'unknown'
    throw read.failure
  }
  // A merged person now has the id of another person, which is not in the receipt.
  return error === codes.foundAgain ? 'unknown' : 'gone'
}

const hints = {
  returned: 'Stop sending their distinct ids, then delete them again',
  merged: 'Persons with found-again in the receipt have a new id: look them up by email or distinct id',
  unqueued: 'Ask the operator of the service to delete their events',
  pending: 'The server deletes events in a weekly batch',
}

function reportResult(context: Context, receipt: ReadReceipt, verified: readonly Verified[]): void {
  const { messages } = context
  const countIf = (test: (one: Verified) => boolean) => verified.filter(test).length
  const count = (status: Status) => countIf(one => one.status === status)
  const countErrors = (code: string) => countIf(({ outcome }) => outcome.error === code)
  const nextDeletion = momentText(nextEventDeletion(context.host.clock.now())).slice(0, 'YYYY-MM-DD hh:mm'.length)
  const again = `check again after Sunday ${nextDeletion} UTC`
  const checks: readonly (readonly [number: number, what: string, hint?: string | false])[] = [
    [count('there'), 'still there'],
    [count('returned'), 'created again after the deletion (returned)', hints.returned],
    [count('unknown'), 'unknown', countErrors(codes.foundAgain) > 0 && hints.merged],
    [
      countErrors(codes.eventsUnknown),
      'with events-unknown: the server may not have queued their events',
      hints.unqueued,
    ],
    [countIf(({ outcome }) => outcome.status === 'left'), 'not attempted: the run was not complete'],
    [countIf(({ events }) => events === 'pending'), `with events pending (${again})`, hints.pending],
  ]
  const problems = checks.filter(([number]) => number > 0)
  const summary = `${grouped(count('gone'))} of ${countOf(verified.length, 'person is', 'persons are')} deleted`
  if (problems.length === 0) messages.notice(verified.length === 0 ? 'The receipt names no persons' : summary)
  if (verified.length > 0) printEvents(messages, receipt, verified)
  if (problems.length === 0) return
  const listed = problems.map(([number, what]) => `${grouped(number)} ${what}`).join(', ')
  const [hint = 'The server may need more time: run the command again later'] = problems.flatMap(
    ([, , one]) => one || [],
  )
  throw new PartialError(`${summary}: ${listed}`, { hint })
}

function printEvents({ notice }: Messages, { events }: ReadReceipt, verified: readonly Verified[]): void {
  const eventsOf = (test: (one: Verified) => boolean) =>
    `the events of ${countOf(verified.filter(test).length, 'person')}`
  const isQueued = ({ outcome: { status, error } }: Verified) => status === 'deleted' || error === codes.deletionError
  const isCompleted = (one: Verified) => one.events === 'completed'
  const isUnknown = (one: Verified) => one.events === 'unknown'
  if (events === 'kept') notice('Their events are kept')
  if (events === 'unasked') notice(`The server queued ${eventsOf(isQueued)} although --delete-events was not given`)
  if (verified.some(isCompleted)) notice(`The server has deleted ${eventsOf(isCompleted)}`)
  if (verified.some(isUnknown)) notice(`The server does not say whether ${eventsOf(isUnknown)} are deleted`)
}
