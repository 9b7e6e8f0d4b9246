import { defineCommand } from '../../cli/command.ts'
import { replaceable } from '../../cli/options.ts'
import { openServedSandbox } from '../../connection/open-sandbox.ts'
import { objectDocument } from '../../output/document.ts'
import { rowView } from '../../output/views.ts'
import { read } from '../../result.ts'
import { greeting, serve } from '../../sandbox/server.ts'
import { integer } from '../../values/kinds.ts'
import { refuseUnreached } from './refuse-unreached.ts'

export default defineCommand({
  summary: 'Serve the sandbox over HTTP on this machine, until interrupted',
  details: 'Prints the base URL, key and project once it listens. Every process on this machine may call it.',
  calls: [],
  args: {},
  options: { port: replaceable(integer, 'PORT', 'port to listen on; 0 picks a free one (8010)') },
  examples: [
    'sandbox serve --port 8010 # On a port of your choice',
    'sandbox serve --port 0 -o json # On any free port, printed as JSON',
  ],
  async run(_, { port = 8010 }, context) {
    refuseUnreached(context, ['dryRun'])
    const { host } = context
    const sandbox = await openServedSandbox(context)
    const server = await serve(sandbox, { port, host: '127.0.0.1' })
    const view = rowView(['base_url', 'api_key', 'project'], 'base_url')
    return read({ document: objectDocument(greeting(sandbox, server), view) }, async () => {
      await interrupted(host.interrupted)
      await server.close()
      sandbox.close()
      host.interrupted.throwIfAborted()
    })
  },
})

function interrupted(signal: AbortSignal): Promise<void> {
  return new Promise(resolve => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
}
