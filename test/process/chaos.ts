/** Seeds and folders for tests of kills and power cuts. */
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestServer } from '../server.ts'
import type { Env } from './program.ts'

/** `CHAOS` seeds from `CHAOS_SEED` on; by default the same ones in each run of the suite. */
export function chaosSeeds(usual: number): readonly number[] {
  const first = Number(process.env.CHAOS_SEED ?? (process.env.CHAOS ? Math.floor(Math.random() * 2 ** 31) : 1))
  return Array.from({ length: Number(process.env.CHAOS ?? usual) }, (_, i) => first + i)
}

/** A folder with the file `ids`, and the variables of a run in it. */
export function chaosFolder(
  server: TestServer,
  ids: readonly string[],
): { readonly folder: string; readonly env: Env } {
  const folder = mkdtempSync(join(tmpdir(), 'analytics-chaos-'))
  writeFileSync(join(folder, 'ids'), ids.join('\n'))
  const env = {
    ...server.env,
    ANALYTICS_STATE_DIR: join(folder, 'state'),
    NODE_OPTIONS: `--require ${JSON.stringify(join(import.meta.dirname, 'short-waits.cjs'))}`,
  }
  return { folder, env }
}
