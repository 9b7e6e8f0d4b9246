import { withoutUser } from './api/base-url.ts'
import type { Endpoint } from './api/endpoints.ts'
import { eventDefinitions, plugins, projects } from './api/endpoints.ts'
import { type Candidate, candidatesFor, type Names } from './cli/completion.ts'
import { shells } from './cli/completion-scripts.ts'
import { type CommandLine, commandWords, readCommandLine } from './cli/program.ts'
import { topics } from './commands/help/topics.ts'
import { tree } from './commands/tree.ts'
import { type Config, configOf } from './config/current.ts'
import { configFolder, stateFolder } from './config/folders.ts'
import { keySetting } from './config/key.ts'
import { readProfiles } from './config/store.ts'
import type { Host } from './host.ts'
import { createSecrets } from './secrets/secrets.ts'
import { escapeControls } from './text/escape-controls.ts'

/** Milliseconds: a person waits after each press of the Tab key. */
const longestRequest = 300

/** `words`: those after the program name, up to the cursor. Always returns 0; never writes to stderr. */
export async function complete(words: readonly string[], host: Host): Promise<number> {
  try {
    const found = await answer(words.slice(0, -1), words.at(-1) ?? '', host)
    await host.stdout.write(found === 'files' ? ':files\n' : found.map(line).join(''))
  } catch {
    // A shell would show an error inside the line that is being typed.
  }
  return 0
}

async function answer(before: readonly string[], current: string, host: Host) {
  const line = await readCommandLine(before, tree)
  const summaries = Object.fromEntries(Object.entries(topics).map(([name, { summary }]) => [name, summary]))
  return candidatesFor(line, before, current, {
    tree,
    topics: summaries,
    shells: Object.keys(shells),
    look: names => look[names](host, line).catch(() => []),
  })
}

/** Values with control characters cannot be typed. */
function line({ value, summary }: Candidate): string {
  if (escapeControls(value) !== value) return ''
  return summary ? `${value}\t${escapeControls(summary).replace(/\s+/g, ' ').slice(0, 80)}\n` : `${value}\n`
}

const look: Readonly<Record<Names, (host: Host, line: CommandLine) => Promise<readonly Candidate[]>>> = {
  profiles: async host =>
    Object.entries(readProfiles(configFolder(host)).profiles).map(([value, { baseUrl }]) => ({
      value,
      summary: withoutUser(String(baseUrl ?? '')),
    })),
  async jobs(host, line) {
    const [{ isResumable, jobsFolder }, { listJobs }] = await Promise.all([
      import('./jobs/job.ts'),
      import('./jobs/list-jobs.ts'),
    ])
    const listed = listJobs(jobsFolder(stateFolder(host)), () => undefined)
    const fitting = commandWords(line)[1] === 'resume' ? listed.filter(isResumable) : listed
    return fitting.map(({ name, header, counts }) => ({
      value: name,
      summary: `${header.command}, ${header.total - counts.left - counts.failed} of ${header.total} done`,
    }))
  },
  projects: async (host, line) => listOf(host, configOf(line.settings, host, true), projects.list),
  'event-definitions': async (host, line) => listOf(host, configOf(line.settings, host, true), eventDefinitions.list),
  plugins: async (host, line) => listOf(host, configOf(line.settings, host, true), plugins.list),
}

/** Reads only the first page, since more names would not fit on a screen. */
async function listOf(host: Host, config: Config, endpoint: Endpoint): Promise<readonly Candidate[]> {
  const { values, profile } = config
  const read = () => readList(host, config, endpoint)
  // The sandbox needs no request and may be reset at any time.
  if (values.sandbox) return read()
  // A password manager could open a window.
  if (keySetting(config) === 'apiKeyCommand') return []
  const { cachedNames } = await import('./cli/completion-names.ts')
  const name = [values.baseUrl, profile?.name, values.project, values.organization, endpoint.path].join(' ')
  return cachedNames(`${stateFolder(host)}/completion`, name, read)
}

async function readList(host: Host, config: Config, endpoint: Endpoint): Promise<readonly Candidate[]> {
  const { connect } = await import('./connection/connect.ts')
  const silent = () => undefined
  const messages = {
    notice: silent,
    warn: silent,
    fault: silent,
    say: silent,
    error: silent,
  }
  const once = { ...config, values: { ...config.values, retries: 0, maxWait: 0, debug: false, rate: undefined } }
  const deadline = new AbortController()
  const interrupted = AbortSignal.any([host.interrupted, deadline.signal])
  const { client, project, organization, close } = await connect({
    host: { ...host, interrupted },
    config: once,
    messages,
    consent: { given: false },
    secrets: createSecrets(),
  })
  // The limit is for the request, without the time to load the program.
  const timer = setTimeout(() => deadline.abort(new Error('Too late')), host.longestCompletion ?? longestRequest)
  try {
    const path = {
      ...(endpoint.path.includes(':project_id') ? { project_id: project() } : {}),
      ...(endpoint.path.includes(':parent') ? { parent_lookup_organization_id: await organization() } : {}),
    }
    const page = await client.one(client.request(endpoint, { path, query: { limit: 100 } }))
    return rowsOf(JSON.parse(page?.toString() ?? '')).flatMap(({ id, name }) =>
      /^[\w.@-]+$/.test(String(id)) ? [{ value: String(id), summary: String(name ?? '') }] : [],
    )
  } finally {
    clearTimeout(timer)
    await close()
  }
}

function rowsOf(page: { readonly results?: unknown }): readonly { readonly id: unknown; readonly name?: unknown }[] {
  return Array.isArray(page.results) ? page.results : []
}
