// Everything that may happen to a machine in the middle of a run, for as many rounds as wanted: `npm run chaos -- 200`.
// A test that fails has its seed in its name; `CHAOS_SEED=… npm run chaos -- 1` plays that one again.
import { spawnSync } from 'node:child_process'

const cases = {
  'random runs: batches, refusals, lost responses, storms of 404s, signals, kills, power cuts, resumes':
    'test/runs/random-runs.test.ts',
  'kill -9 of deletions, updates and undos on a faulty service, with cut journals': 'test/process/bulk-chaos.test.ts',
  'power cuts: what no sync has kept is lost, or NULs': 'test/process/power-cut.test.ts',
  'full disks, before and during a run': 'test/trust/disk.test.ts',
  'read-only folders, too few open files, no terminal': 'test/trust/machine.test.ts',
}
const [rounds = process.env.CHAOS ?? '50'] = process.argv.slice(2)
if (!/^[1-9]\d*$/.test(rounds)) {
  process.stderr.write('Give the number of rounds, as in: npm run chaos -- 200\n')
  process.exit(2)
}
for (const [what, file] of Object.entries(cases)) process.stdout.write(`${what}: ${file}\n`)
const { status } = spawnSync('npx', ['vitest', 'run', '--testTimeout=0', ...Object.values(cases)], {
  stdio: 'inherit',
  env: { ...process.env, CHAOS: rounds },
})
process.exit(status ?? 1)
