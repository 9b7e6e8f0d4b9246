// `npm run fuzz -- 100`: a hundred times as many runs of `test/trust/fuzz.test.ts` as the suite has.
// A failure says its seed; `FUZZ_SEED=… npm run fuzz` plays that one again.
import { spawnSync } from 'node:child_process'

const [times = '50'] = process.argv.slice(2)
const { status } = spawnSync('npx', ['vitest', 'run', 'test/trust/fuzz.test.ts'], {
  stdio: 'inherit',
  env: { ...process.env, FUZZ: times },
})
process.exit(status ?? 1)
