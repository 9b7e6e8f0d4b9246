import type { Client } from '../../api/client.ts'
import { newer } from '../../api/endpoints.ts'
import { list } from '../../api/pages.ts'
import { AuthError, NotFoundError, RejectedError, UnavailableError } from '../../errors.ts'
import type { ReadReceipt } from '../../jobs/receipt.ts'
import { type Json, textAt } from '../../json/exact.ts'

type EventsStatus = 'completed' | 'pending' | 'unknown'

/** Older servers do not have the endpoint, so after these requests without a page no more are sent. */
const maxRefused = 10

/** Sends one request for each person. If the run kept events, sends none and returns null. */
export function createStatusReader(
  client: Client,
  { path, startedAt, events }: ReadReceipt,
): (uuid: string | undefined) => Promise<EventsStatus | null> {
  if (events === 'kept') return async () => null
  let refused = 0
  const known = new Map<string, Promise<EventsStatus>>()
  const readStatus = async (uuid: string): Promise<EventsStatus> => {
    if (refused >= maxRefused) return 'unknown'
    const rows = await readRows(client, path.project_id ?? '', uuid).catch(ignoreRefusal)
    refused = rows ? Number.NEGATIVE_INFINITY : refused + 1
    const ownRows = (rows ?? []).filter(
      row => textAt(row, 'person_uuid')?.toLowerCase() === uuid && timeAt(row, 'created_at') >= startedAt,
    )
    if (ownRows.length === 0) return 'unknown'
    const isDone = ownRows.every(
      row => textAt(row, 'status') === 'completed' && !Number.isNaN(timeAt(row, 'delete_verified_at')),
    )
    return isDone ? 'completed' : 'pending'
  }
  return async uuid => {
    if (uuid === undefined) return 'unknown'
    const status = known.get(uuid) ?? readStatus(uuid)
    known.set(uuid, status)
    return status
  }
}

async function readRows(client: Client, project_id: string, uuid: string): Promise<readonly Json[]> {
  const query = { person_uuid: uuid, status: 'all' }
  const request = client.request(newer.deletionStatus, { path: { project_id }, query })
  const rows: Json[] = []
  for await (const page of list(client, request, { follow: true }).batches) rows.push(...page.map(({ value }) => value))
  return rows
}

/** After most failures the events are unknown. A refused key and a rate limit end the command. */
function ignoreRefusal(error: unknown): undefined {
  const isForbidden = error instanceof AuthError && error.details.status === 403
  const isRefused =
    error instanceof NotFoundError || error instanceof RejectedError || error instanceof UnavailableError
  if (!isForbidden && !isRefused) throw error
}

function timeAt(row: Json, field: string): number {
  return Date.parse(textAt(row, field) ?? '')
}
