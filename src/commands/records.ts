import { argument, type Command, defineCommand, idArgument, optionalArgument } from '../cli/command.ts'
import { type CollectionSpec, collections, pathIn, pathTo } from '../operations/collections.ts'
import { recordDocument, views } from '../output/views.ts'
import { listCollection, paging } from './paging.ts'

/** Without an `id`, the command is a list. */
interface Row {
  readonly summary: string
  readonly of: CollectionSpec
  readonly id?: ReturnType<typeof optionalArgument>
  readonly examples: readonly string[]
}

const rows = {
  'plugins list': {
    summary: 'List the plugins of the organization',
    of: collections.plugins,
    examples: ['plugins list # Show the first page', 'plugins list --all -o json # Export all as JSON'],
  },
  'plugins get': {
    summary: 'Show one plugin',
    of: collections.plugins,
    id: argument('ID', 'id of the plugin'),
    examples: ['plugins get 1'],
  },
  'event-definitions list': {
    summary: 'List the event definitions of the project',
    of: collections.event_definitions,
    examples: [
      'event-definitions list # Show the first page',
      'event-definitions list --fields name,tags # Show some fields',
    ],
  },
  'projects list': {
    summary: 'List projects',
    of: { ...collections.projects, view: views.projectListItem },
    examples: ['projects list # List the projects of the key', 'projects list -o ids # Print their ids, one per line'],
  },
  'projects get': {
    summary: 'Show one project with its settings',
    of: collections.projects,
    id: optionalArgument('ID', 'id of the project (default: the project in use)'),
    examples: [
      'projects get # Show the project in use',
      'projects get 2 -o json # Show another project as JSON',
      'projects get --fields name,timezone # Show some fields',
    ],
  },
} as const satisfies Readonly<Record<string, Row>>

export function recordCommand(words: keyof typeof rows): Command {
  const { summary, of, id: declared, examples }: Row = rows[words]
  if (!declared) {
    return defineCommand({
      summary,
      options: paging,
      examples,
      run: (_, options, context) => listCollection(context, of, options),
    })
  }
  return defineCommand({
    summary,
    args: { id: idArgument(declared, of.name) },
    examples,
    async run({ id }, _, context) {
      const connection = await context.connect()
      const path = pathTo(await pathIn(connection, of), id ?? connection.project())
      return { data: recordDocument(await connection.client.record(of.read, { path }), of.view) }
    },
  })
}
