/**
 * Kills and resumes bulk runs for as many rounds as wanted: `npm run chaos -- 100`. Each round has a seed, which stands
 * in the name of a test that fails; `CHAOS_SEED=… npm run chaos -- 1` plays that one again.
 */
import { spawnSync } from 'node:child_process'

const [rounds = '50'] = process.argv.slice(2)
const { status } = spawnSync('npx', ['vitest', 'run', 'test/process/bulk-chaos.test.ts'], {
  stdio: 'inherit',
  env: { ...process.env, CHAOS: rounds },
})
process.exit(status ?? 1)
