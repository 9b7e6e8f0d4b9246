import { setImmediate } from 'node:timers/promises'
import { argument, defineCommand } from '../../cli/command.ts'
import { noData } from '../../context.ts'
import { UsageError } from '../../errors.ts'
import { decodeUtf8, inputChunks } from '../../files/read-input.ts'
import type { Host } from '../../host.ts'
import { openSandbox, personsIn } from '../../sandbox/sandbox.ts'
import { countOf } from '../../text/grouped.ts'

export default defineCommand({
  summary: 'Fill the sandbox with persons from an export',
  details:
    'Reads NDJSON, as analytics persons list --all -o ndjson prints it. Persons keep their ids and UUIDs, and replace persons with the same id or UUID. If the file has a mistake, nothing is loaded.',
  args: { file: argument('FILE', 'file of the export, or - for stdin') },
  examples: ['sandbox load persons.ndjson'],
  async run({ file }, _, context) {
    const { host, values, messages } = context
    if (values.dryRun) {
      let count = 0
      for await (const _ of personsIn(linesIn(host, file), 0)) count++
      messages.notice(`Would load ${countOf(count, 'person')}`)
      return { data: noData }
    }
    const sandbox = await openSandbox(context)
    try {
      const count = await sandbox.load(linesIn(host, file), values.project)
      messages.notice(`Loaded ${countOf(count, 'person')}`)
    } finally {
      sandbox.close()
    }
    return { data: noData }
  },
})

/** A device such as /dev/zero has an endless line. */
const maxLineBytes = 16 * 1024 * 1024

const notNdjson = 'Give a file with one person per line, as analytics persons list --all -o ndjson writes it'

async function* linesIn(host: Host, file: string): AsyncGenerator<string> {
  const where = file === '-' ? 'stdin' : file
  let rest: Uint8Array = Buffer.alloc(0)
  for await (const chunk of inputChunks(host, { file, where })) {
    const bytes = Buffer.concat([rest, chunk])
    const end = bytes.lastIndexOf('\n') + 1
    rest = bytes.subarray(end)
    if (rest.length > maxLineBytes) throw new UsageError(`${where} has a line longer than 16 MB`, { hint: notNdjson })
    yield* decodeUtf8(bytes.subarray(0, end), where).split('\n').slice(0, -1)
    // Node handles signals between two turns of the event loop.
    await setImmediate()
    host.interrupted.throwIfAborted()
  }
  yield decodeUtf8(rest, where)
}
