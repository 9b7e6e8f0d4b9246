/** A process of its own that works on a sandbox: `writer.ts FOLDER NAME COUNT` sets that many properties of person 1. */
import { openSandbox } from '../../../src/sandbox/open.ts'

const [folder = '', name = '', count = ''] = process.argv.slice(2)
const clock = { now: () => Date.UTC(2026, 4, 15, 12), elapsed: () => 0, sleep: async () => {} }
const sandbox = await openSandbox({
  stateDir: folder,
  dialect: 'documented',
  faults: undefined,
  seed: undefined,
  clock,
  random: () => 0.5,
  timeout: Number.POSITIVE_INFINITY,
  signal: undefined,
})
process.stdout.write(`${sandbox.key}\n`)
for (let i = 0; i < Number(count); i++) {
  const response = await sandbox.send({
    method: 'PATCH',
    url: new URL('/api/projects/1/persons/1/', sandbox.baseUrl),
    headers: { authorization: `Bearer ${sandbox.key}` },
    body: `{"properties":{"${name}${i}":${i}.0}}`,
    effect: 'set',
    destroys: false,
  })
  // Said only once it is done: what stands here must be there, whatever happens to this process.
  if (response.status === 200) process.stdout.write(`${name}${i}\n`)
}
sandbox.close()
