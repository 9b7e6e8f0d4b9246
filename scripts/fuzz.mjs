// `npm run fuzz -- 100 [FILE...]`: each test of a property tries a hundred times as many values as in the suite, and others.
// A failure says its seed; `FUZZ_SEED=… npm run fuzz` tries the same values again.
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const [times = '50', ...files] = process.argv.slice(2)
const { FUZZ_SEED: seed = String(Date.now() % 2 ** 31) } = process.env
const testsOfProperties = readdirSync('test', { recursive: true })
  .filter(file => file.endsWith('.test.ts'))
  .map(file => join('test', file))
  .filter(file => /fast-check\.ts'/.test(readFileSync(file, 'utf8')))

process.stdout.write(`Seed ${seed}\n`)
const { status } = spawnSync(
  'npx',
  ['vitest', 'run', '--testTimeout=0', ...(files.length > 0 ? files : testsOfProperties)],
  { stdio: 'inherit', env: { ...process.env, FUZZ: times, FUZZ_SEED: seed } },
)
process.exit(status ?? 1)
