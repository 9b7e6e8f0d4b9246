/** A process of its own that works on a sandbox: `writer.ts FOLDER NAME COUNT` sets that many properties of person 1. */
import { openSandbox } from '../../../src/sandbox/open.ts'
import { sandboxBase } from '../../../src/values/url.ts'

const [folder = '', name = '', count = ''] = process.argv.slice(2)
const clock = { now: () => Date.UTC(2026, 4, 15, 12) }
const sandbox = await openSandbox({
  stateDir: folder,
  dialect: 'documented',
  clock,
})
process.stdout.write(`${sandbox.key}\n`)
for (let i = 0; i < Number(count); i++) {
  const response = sandbox.answer({
    method: 'PATCH',
    url: new URL('/api/projects/1/persons/1/', sandboxBase),
    headers: { authorization: `Bearer ${sandbox.key}` },
    body: `{"properties":{"${name}${i}":${i}.0}}`,
  })
  // Said only once it is done: what stands here must be there, whatever happens to this process.
  if (response.status === 200) process.stdout.write(`${name}${i}\n`)
}
sandbox.close()
