import type { Connection } from '../cli/command.ts'

/** In ms. Servers count requests per hour, and a run goes on when the next hour begins. */
const maxWait = 65 * 60_000

/** As many connections as requests at once, and longer waits. */
export function forRun(connection: Connection, concurrency: number): Connection {
  return { ...connection, client: connection.client.within({ connections: concurrency, maxWait }) }
}
