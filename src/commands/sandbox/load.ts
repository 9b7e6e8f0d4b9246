import { argument } from '../../cli/arguments.ts'
import { defineCommand } from '../../cli/command.ts'
import { openOwnSandbox } from '../../connection/open-sandbox.ts'
import { UsageError } from '../../errors.ts'
import { linesOf } from '../../files/lines.ts'
import { inputChunks, isPipe } from '../../files/read-input.ts'
import type { Host } from '../../host.ts'
import { noData, read } from '../../result.ts'
import { countRows } from '../../sandbox/records/load.ts'
import { suggest } from '../../suggest-command.ts'
import { countOf } from '../../text/grouped.ts'

export default defineCommand({
  summary: 'Fill the sandbox with persons from an export',
  details:
    'NDJSON, one person per line, as analytics persons list --all -o ndjson writes it. Persons keep their UUIDs and ids: whoever has them in the sandbox is replaced. A distinct id belongs to the person who was loaded last.',
  calls: [],
  args: { file: argument('FILE', 'file of the export, or - for stdin') },
  options: {},
  examples: ['sandbox load persons.ndjson'],
  async run({ file }, _, context) {
    const { host, values, messages } = context
    if (values.dryRun) {
      messages.notice(`Would load ${countPersons(await countRows(rowsIn(host, file)))}`)
      return read(noData)
    }
    // A file with a mistake must not be loaded in part; a pipe can be read only once.
    if (!isPipe(host, file)) await countRows(rowsIn(host, file))
    const sandbox = await openOwnSandbox(host)
    try {
      const { persons, removed, renumbered } = await sandbox.load(rowsIn(host, file), values.project)
      messages.notice(`Loaded ${countPersons(persons)}`)
      if (removed > 0) {
        messages.notice(`Removed ${countPersons(removed)} of the sandbox, who had the same ids`)
      }
      if (renumbered > 0) {
        messages.warn(`${countPersons(renumbered)} got other ids: those of the file are no integers below 10^15`)
      }
      suggest(context, ['persons', 'list', ...(values.sandbox ? [] : ['--sandbox'])])
    } finally {
      sandbox.close()
    }
    return read(noData)
  },
})

function countPersons(count: number): string {
  return countOf(count, 'person', 'persons')
}

async function* rowsIn(host: Host, file: string): AsyncGenerator<string> {
  const where = file === '-' ? 'stdin' : file
  for await (const { from, lines } of linesOf(inputChunks(host, { file, where }), where)) {
    for (const [i, line] of lines.entries()) {
      const row = line.trim()
      if (row === '') continue
      if (!row.startsWith('{')) {
        throw new UsageError(`Line ${from + i} of ${where} is not a person`, {
          hint: 'Export with: analytics persons list --all -o ndjson',
        })
      }
      yield row
    }
  }
}
