import type { Connection } from '../context.ts'

/** Milliseconds. Servers count requests per hour, and a run continues in the next hour. */
const maxWait = 65 * 60_000

export function forRun(connection: Connection, concurrency: number): Connection {
  return { ...connection, client: connection.client.within({ connections: concurrency, maxWait }) }
}
