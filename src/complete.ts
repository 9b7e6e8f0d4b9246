import { candidatesFor } from './cli/completion.ts'
import { tree } from './commands/tree.ts'
import { configFolder } from './config/folders.ts'
import { readProfiles } from './config/store.ts'
import type { Host } from './host.ts'

/** `words`: those behind the name of the program, up to the cursor. Always returns 0; never writes to stderr. */
export async function complete(words: readonly string[], host: Host): Promise<number> {
  try {
    const profiles = () => Object.keys(readProfiles(configFolder(host)).profiles)
    const found = await candidatesFor(words, tree, profiles)
    await host.stdout.write(found.map(line => `${line}\n`).join(''))
  } catch {
    // A shell would show an error inside the line that is being typed.
  }
  return 0
}
