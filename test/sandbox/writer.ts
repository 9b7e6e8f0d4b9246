/** A separate process that works on a sandbox: `FOLDER NAME COUNT` sets properties, `FOLDER load COUNT`, `FOLDER reset 1`. */
import { resetStore } from '../../src/sandbox/open-store.ts'
import { openSandbox } from '../../src/sandbox/sandbox.ts'
import { sandboxBase } from '../../src/values/url.ts'

const [folder = '', name = '', count = ''] = process.argv.slice(2)
const print = (line: string) => process.stdout.write(`${line}\n`)

if (name === 'reset') {
  const clock = {
    now: Date.now,
    elapsed: () => 0,
    sleep: (ms: number) => new Promise<void>(done => setTimeout(done, ms)),
  }
  const isRunning = (pid: number) => {
    try {
      return process.kill(pid, 0)
    } catch {
      return false
    }
  }
  const { signal: interrupted } = new AbortController()
  await resetStore(folder, { clock, random: Math.random, processes: { pid: process.pid, isRunning }, interrupted })
} else {
  const host = { env: { ANALYTICS_STATE_DIR: folder }, home: undefined, cwd: '/', clock: { now: () => 0 } }
  const sandbox = await openSandbox({ host, messages: { notice: print } })
  print(sandbox.key)
  if (name === 'load') await sandbox.load(rows())
  for (let i = 0; name !== 'load' && i < Number(count); i++) {
    const { status } = sandbox.respond({
      method: 'PATCH',
      url: new URL('/api/projects/1/persons/1/', sandboxBase),
      headers: { authorization: `Bearer ${sandbox.key}` },
      body: `{"properties":{"${name}${i}":${i}.0}}`,
    })
    // Printed after the write: a printed name must be in the database, even if this process is killed.
    if (status === 200) print(`${name}${i}`)
  }
  sandbox.close()
}

async function* rows(): AsyncGenerator<string> {
  for (let i = 1; i <= Number(count); i++) {
    yield JSON.stringify({ distinct_ids: [`row-${i}`] })
    if (i === 1000) print('a thousand')
  }
}
