import { withoutUser } from './api/base-url.ts'
import { type Candidate, candidatesFor, type Names } from './cli/completion.ts'
import { shells } from './cli/completion-scripts.ts'
import { type CommandLine, commandWords, readCommandLine } from './cli/program.ts'
import { topics } from './commands/help/topics.ts'
import { tree } from './commands/tree.ts'
import { configFolder, stateFolder } from './config/folders.ts'
import { readProfiles } from './config/store.ts'
import type { Host } from './host.ts'
import { escapeControls } from './text/escape-controls.ts'

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
    const { jobsFolder, listJobs, valuesOf } = await import('./jobs/job.ts')
    const listed = listJobs(jobsFolder(stateFolder(host)), () => undefined)
    const fitting = commandWords(line)[1] === 'resume' ? listed.filter(job => valuesOf(job) !== undefined) : listed
    return fitting.map(({ name, head, total }) => ({ value: name, summary: `${head.command}, ${total} in all` }))
  },
}
