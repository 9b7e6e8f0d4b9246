/**
 * Kills bulk runs, also in containers that share a folder, cuts their journals as a power loss does, resumes them, and
 * damages compiled code, for as many rounds as wanted: `npm run chaos -- 200`. A test that kills and fails has its seed
 * in its name; `CHAOS_SEED=… npm run chaos -- 1` plays that one again.
 */
import { spawnSync } from 'node:child_process'

const [rounds = '50'] = process.argv.slice(2)
const { status } = spawnSync(
  'npx',
  [
    'vitest',
    'run',
    'test/process/bulk-chaos.test.ts',
    'test/trust/containers.test.ts',
    'test/install/compiled.test.ts',
  ],
  {
    stdio: 'inherit',
    env: { ...process.env, CHAOS: rounds },
  },
)
process.exit(status ?? 1)
