import { persons } from '../../api/endpoints.ts'
import { defineCommand } from '../../cli/command.ts'
import { confirm, refuseUnanswerable } from '../../cli/confirm.ts'
import { argument, flag } from '../../cli/options.ts'
import { views } from '../../output/views.ts'
import { due } from '../due.ts'
import { preview } from '../preview.ts'
import { write } from '../written.ts'

export default defineCommand({
  summary: 'Delete a person',
  details:
    'With --delete-events the events of the person are queued for deletion too, for the next Sunday at 05:00 UTC. Without it nothing is said of events, and they stay.',
  calls: [persons.delete, persons.get],
  args: { id: argument('ID', 'id of the person') },
  options: { deleteEvents: flag('delete all events of the person too, for good') },
  examples: ['persons delete 3 --yes', 'persons delete 3 --delete-events --dry-run'],
  async run({ id }, { deleteEvents }, context) {
    const { host, values } = context
    const doing = (where: string) =>
      `Deleting person ${id} of ${where}${deleteEvents ? ' and all of their events' : ''}`
    refuseUnanswerable(host, values, doing('the project'))
    const { client, project, place } = await context.connect()
    const path = { project_id: project(), id }
    const where = `project ${path.project_id} (${place})`
    // Present at all, the parameter deletes the events on real servers, whatever its value.
    const query = deleteEvents ? { delete_events: true } : {}
    const request = client.request(persons.delete, { path, query })
    await preview(context, client.request(persons.get, { path }), views.person)
    await confirm(host, values, { doing: doing(where), answer: 'yes' })
    const result = await write(
      client,
      request,
      { id, done: `Deleted person ${id} of ${where}`, view: views.person },
      context,
    )
    if (deleteEvents && !values.dryRun) context.messages.notice(due(host))
    return result
  },
})
