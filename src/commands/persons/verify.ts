import { resolve } from 'node:path'
import { persons } from '../../api/endpoints.ts'
import { type Connection, defineCommand } from '../../cli/command.ts'
import { option } from '../../cli/options.ts'
import { PartialError, UsageError } from '../../errors.ts'

import { type Receipt, readReceipt } from '../../jobs/receipt.ts'
import { runParallel } from '../../jobs/run-parallel.ts'
import { exists } from '../../operations/canary.ts'
import type { Operation } from '../../operations/operation.ts'
import { text } from '../../values/kinds.ts'

const fields = ['id', 'status']

export default defineCommand({
  summary: 'Check that the persons of a receipt are gone',
  details:
    'Looks up each of them. Exit code 0: all are gone; 8: some are still there. The service does not tell whether their events are gone.',
  calls: [persons.get],
  args: {},
  options: { receipt: option(text, 'FILE', 'the file that persons delete --receipt wrote') },
  examples: ['persons verify --receipt deleted.json # After a deletion with --receipt deleted.json'],
  async run(_, { receipt: file }, context) {
    if (file === undefined) throw new UsageError('No receipt was given', { hint: 'Give --receipt FILE' })
    const receipt = readReceipt(resolve(context.host.cwd, file))
    const connection = await context.connect({ connections: 8 })
    refuseElsewhere(connection, receipt)
    const statuses = await look(connection, receipt)
    const there = statuses.filter(status => status === 'there').length
    const rows = receipt.outcomes.map(({ id }, i) => Buffer.from(JSON.stringify({ id, status: statuses[i] })))
    return {
      document: { shape: 'list', batches: [rows], view: { columns: fields, fields, id: 'id' } },
      afterwards() {
        if (there > 0)
          throw new PartialError(`${there} of ${rows.length} are still there`, {
            hint: 'A server may take a while; check again later, then delete what is left with --from',
          })
        context.messages.notice(`All ${rows.length} are gone`)
        if (receipt.events?.queued) context.messages.notice(eventsOf(receipt.events.due_at, connection.now()))
      },
    }
  },
})

function eventsOf(due: string, now: number): string {
  return `Their events ${Date.parse(due) > now ? 'are' : 'were'} due to be deleted at ${due}`
}

async function look({ client, project }: Connection, receipt: Receipt): Promise<readonly ('gone' | 'there')[]> {
  const path = { project_id: project() }
  const operation: Operation = { command: 'persons delete', path, values: { deleteEvents: false } }
  const found: ('gone' | 'there')[] = []
  await runParallel(receipt.outcomes.entries(), 8, async ([place, { id }]) => {
    found[place] = (await exists({ client, operation }, id)) ? 'there' : 'gone'
  })
  return found
}

/** Somewhere else they would be found to be gone, all of them. */
function refuseElsewhere({ client, project }: Connection, receipt: Receipt): void {
  const [server, here] = [receipt.base_url, client.base.href]
  const wanted = receipt.path.project_id
  if (server === here && wanted === project()) return
  throw new UsageError(`The receipt is of project ${wanted} at ${server}, not of project ${project()} at ${here}`, {
    hint: 'Give the profile, project or base URL that it was written for',
  })
}
