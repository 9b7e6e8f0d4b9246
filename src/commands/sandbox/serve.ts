import { once } from 'node:events'
import { defineCommand, option } from '../../cli/command.ts'
import { dialects } from '../../config/settings.ts'
import { isTable } from '../../context.ts'
import { objectDocument, rowView } from '../../output/views.ts'
import { faultsKind, withFaults } from '../../sandbox/faults.ts'
import { openSandbox } from '../../sandbox/sandbox.ts'
import { serve } from '../../sandbox/server.ts'
import { shellWord } from '../../text/shell-words.ts'
import { between, integer, oneOf } from '../../values/kinds.ts'

export default defineCommand({
  summary: 'Serve the sandbox over HTTP on this machine, until interrupted',
  details:
    'Prints base URL, key and project as lines to paste into a shell. Every process on this machine can call it.',
  options: {
    port: option(between(0, 65_535), 'PORT', 'listen on this port; 0 picks a free one (8010)'),
    dialect: option(oneOf(...dialects), 'NAME', 'answer as documented, or as observed on real servers (documented)'),
    faults: option(faultsKind, 'LIST', 'inject faults: 429@5%,500@5%,drop@1%,slow=300ms,rate=240/m'),
    seed: option(integer, 'N', 'repeat the same faults'),
  },
  examples: [
    'sandbox serve --port 8010 # Use this port',
    'sandbox serve --port 0 -o json # Use a free port, and print JSON',
  ],
  async run(_, { port = 8010, dialect, faults, seed }, context) {
    const { host } = context
    const sandbox = await openSandbox(context, dialect)
    const respond = faults ? withFaults(sandbox.respond, faults, seed ?? host.random()) : sandbox.respond
    const server = await serve(port, respond)
    const access = { base_url: server.baseUrl, api_key: sandbox.key, project: sandbox.project ?? null }
    const document = objectDocument(access, rowView(Object.keys(access), 'base_url'))
    const linesToPaste = Object.entries(access).flatMap(([name, value]) =>
      value === null ? [] : [`export ANALYTICS_${name.toUpperCase()}=${shellWord(value)}\n`],
    )
    const end = async () => {
      if (!host.interrupted.aborted) await once(host.interrupted, 'abort')
      await server.close()
      sandbox.close()
      host.interrupted.throwIfAborted()
    }
    // Printed as text, because tables hide the key in use.
    return { data: isTable(context.values) ? { text: linesToPaste } : document, end }
  },
})
