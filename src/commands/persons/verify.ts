import type { Client } from '../../api/client.ts'
import { defineCommand } from '../../cli/command.ts'
import { conflicting, flag, option } from '../../cli/options.ts'
import type { Context } from '../../context.ts'
import { AuthError, Failure, InterruptedError, PartialError, UnavailableError, UsageError } from '../../errors.ts'
import { journalOf, readTargets } from '../../jobs/job.ts'
import { codes } from '../../jobs/outcome.ts'
import {
  printReceipt,
  type ReadOutcome,
  type ReadReceipt,
  readReceipt,
  receiptIn,
  receiptOf,
} from '../../jobs/receipt.ts'
import { runParallel } from '../../jobs/run-parallel.ts'
import type { ObjectItem } from '../../json/read-item.ts'
import type { Messages } from '../../messages/messages.ts'
import { collections, type Scope } from '../../operations/collections.ts'
import { listDocument } from '../../output/document.ts'
import { rowView } from '../../output/views.ts'
import { requireSameServer, withLongWaits } from '../../runs/place.ts'
import { createLists } from '../../runs/steps/proof.ts'
import { readTarget } from '../../runs/steps/read-target.ts'
import { countOf, grouped } from '../../text/grouped.ts'
import { momentText } from '../../text/moment.ts'
import { isId } from '../../values/ids.ts'
import { nextBatch } from '../../values/instant.ts'
import { inputFile } from '../../values/kinds.ts'
import { chosenJob } from '../jobs/choose-job.ts'
import { createStatusReader, type EventsStatus } from './deletion-status.ts'

const concurrency = 8

type Status = 'gone' | 'there' | 'returned' | 'unknown'

interface Verified {
  readonly outcome: ReadOutcome
  readonly status: Status
  readonly events: EventsStatus | null
}

export default defineCommand({
  summary: 'Check whether the persons of a receipt and their events are deleted',
  details:
    'Each person is read. If events were deleted too, newer servers tell whether they are deleted: completed, pending or unknown. Exit code 0: the run was complete, all persons are deleted, and no events are pending; else 8.',
  args: {},
  options: {
    receipt: conflicting(option(inputFile, 'FILE', 'the file that persons delete --receipt wrote'), 'last'),
    last: flag('use the newest job of this server and project'),
  },
  examples: ['persons verify --receipt deleted.json # Check the persons of a receipt'],
  async run(_, { receipt: file, last }, context) {
    const receipt = last ? await lastReceipt(context) : await givenReceipt(context, file)
    const connection = withLongWaits(await context.connect())
    await requireSameServer(connection, receipt, collections.persons, 'The receipt')
    const { client } = connection
    const areKept = receipt.events === 'kept'
    const readEvents = areKept ? async () => null : createStatusReader(client, receipt)
    const idsOf = await idsToRead(receipt, readEvents)
    const statuses = await readStatuses(client, receipt, idsOf)
    const events: (EventsStatus | null)[] = []
    await runParallel(receipt.outcomes.entries(), concurrency, async ([index, { uuid }]) => {
      if (statuses[index] === 'gone') events[index] = await readEvents(uuid)
    })
    const verified = receipt.outcomes.map((outcome, i): Verified => {
      return { outcome, status: statuses[i] ?? 'unknown', events: events[i] ?? null }
    })
    const rows = verified.map(({ outcome: { id }, status, events }) => ({ id, status, ...(areKept ? {} : { events }) }))
    const fields = ['id', 'status', ...(areKept ? [] : ['events'])]
    return { data: listDocument(rows, rowView(fields)), end: () => conclude(context, receipt, verified) }
  },
})

async function lastReceipt(context: Context): Promise<ReadReceipt> {
  const job = await chosenJob(context, undefined, true)
  const text = [...printReceipt(receiptOf(job.head, journalOf(job), readTargets(job)))].join('')
  return receiptIn(text, `Job ${job.name}`)
}

function givenReceipt({ host }: Context, file: string | undefined): Promise<ReadReceipt> {
  if (file === undefined) throw new UsageError('No receipt given', { hint: 'Use --receipt FILE or --last' })
  return readReceipt(host, file)
}

type IdsToRead = (outcome: ReadOutcome) => readonly string[]

/**
 * A person who came back has a new number and the UUID of before. Only newer servers certainly know UUIDs: those that
 * know of the deletion. Elsewhere the number counts, and the UUID can only show that the person is there.
 */
async function idsToRead(
  { outcomes }: ReadReceipt,
  readEvents: (uuid: string | undefined) => Promise<EventsStatus | null>,
): Promise<IdsToRead> {
  const events = await readEvents(outcomes.find(({ uuid }) => uuid !== undefined)?.uuid)
  if (events === null) return ({ id, uuid = id }) => (uuid === id.toLowerCase() ? [id] : [id, uuid])
  return ({ id, uuid = id }) => (events === 'unknown' ? [id] : [uuid])
}

async function readStatuses(
  client: Client,
  { path, outcomes }: ReadReceipt,
  idsOf: IdsToRead,
): Promise<readonly Status[]> {
  const lists = createLists(client, collections.persons, path)
  const statuses: Status[] = []
  const [first] = outcomes
  let isDistinct = false
  if (first) isDistinct = orRefuse(await lists.readNamed({ by: 'distinctId', name: first.id })).length > 0
  await runParallel(outcomes.entries(), concurrency, async ([index, outcome]) => {
    statuses[index] = await readStatus(client, path, outcome, idsOf(outcome))
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

async function readStatus(
  client: Client,
  scope: Scope,
  { id, error, at }: ReadOutcome,
  ids: readonly string[],
): Promise<Status> {
  if (!isId('persons', id)) return 'unknown'
  let person: Awaited<ReturnType<typeof readPerson>> = 'missing'
  for (const one of ids) if (person === 'missing') person = await readPerson(client, scope, one)
  if (typeof person === 'object') return createdAt(person) > at ? 'returned' : 'there'
  // A person who was merged into another one lives on under that id, which no receipt tells.
  return person === 'missing' && error !== codes.foundAgain ? 'gone' : 'unknown'
}

/** A failed request leaves this person unclear, but a refused key ends the command. */
async function readPerson(client: Client, scope: Scope, id: string): Promise<ObjectItem | 'missing' | 'unclear'> {
  const read = await readTarget({ client, scope }, collections.persons, id)
  if (read.is === 'there') return read.record
  if (read.is === 'look') return 'missing'
  if (read.failure.exit === 5 || read.failure.exit === 7) return 'unclear'
  throw read.failure
}

function createdAt({ value }: ObjectItem): number {
  return Date.parse(String(value.created_at))
}

function conclude(context: Context, receipt: ReadReceipt, verified: readonly Verified[]): void {
  const { messages } = context
  const count = (test: (one: Verified) => boolean) => verified.filter(test).length
  const pending = count(({ events }) => events === 'pending')
  const unqueued = count(({ outcome }) => outcome.error === codes.eventsUnknown)
  const left = count(({ outcome }) => outcome.status === 'left')
  const returned = count(({ status }) => status === 'returned')
  const merged = count(({ outcome }) => outcome.error === codes.foundAgain)
  const next = momentText(nextBatch(context.host.clock.now())).slice(0, 'YYYY-MM-DD hh:mm'.length)
  const problems = [
    [count(({ status }) => status === 'there'), 'still there'],
    [returned, 'created again after the deletion (returned)'],
    [count(({ status }) => status === 'unknown'), 'unknown'],
    [unqueued, 'with events-unknown: the server may not have queued their events'],
    [left, 'not attempted: the run was not complete'],
    [pending, `with events pending (check again after Sunday ${next} UTC)`],
  ] as const
  const found = problems.flatMap(([number, what]) => (number > 0 ? [`${grouped(number)} ${what}`] : []))
  const gone = count(({ status }) => status === 'gone')
  const summary = `${grouped(gone)} of ${countOf(verified.length, 'person is', 'persons are')} deleted`
  if (found.length === 0) messages.notice(verified.length === 0 ? 'The receipt names no persons' : summary)
  if (verified.length > 0) reportEvents(messages, receipt, verified)
  if (found.length === 0) return
  const hints: readonly (readonly [when: number, hint: string])[] = [
    [merged, 'Persons with found-again in the receipt have a new id: look them up by email or distinct id'],
    [unqueued, 'Ask the operator of the service to delete their events'],
    [returned, 'Stop sending their distinct ids, then delete them again'],
    [pending, 'The server deletes events in a weekly batch'],
  ]
  const [, hint = 'The server may need more time: run the command again later'] = hints.find(([when]) => when > 0) ?? []
  throw new PartialError(`${summary}: ${found.join(', ')}`, { hint })
}

function reportEvents({ notice }: Messages, { events }: ReadReceipt, verified: readonly Verified[]): void {
  const count = (wanted: EventsStatus) => verified.filter(one => one.events === wanted).length
  const queued = verified.filter(
    ({ outcome: { status, error } }) => status === 'deleted' || error === codes.deletionError,
  )
  const [completed, unknown] = [count('completed'), count('unknown')]
  const ofPersons = (number: number) => `the events of ${countOf(number, 'person', 'persons')}`
  if (events === 'kept') notice('Their events are kept')
  if (events === 'unasked')
    notice(`The server queued ${ofPersons(queued.length)} although --delete-events was not given`)
  if (completed > 0) notice(`The server has deleted ${ofPersons(completed)}`)
  if (unknown > 0) notice(`The server does not say whether ${ofPersons(unknown)} are deleted`)
}
