/** `persons delete --from` with its journal, beside curl and beside what the connections and the latency allow. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { atLeast, atMost, collecting, has, peak, program, ratio, time } from './measure.mjs'

const concurrency = 8
const latency = 20

export async function bulk(world) {
  const { home, url } = world
  const ids = count => {
    const file = join(home, `ids-${count}`)
    writeFileSync(file, Array.from({ length: count }, (_, i) => `${i + 1}\n`).join(''))
    return file
  }
  const deleting = count => ['persons', 'delete', '--from', ids(count), '--concurrency', concurrency, '--yes', '-q']
  const ours = (count, env = world.env) => time(process.execPath, [program, ...deleting(count)], env)
  const rows = [await withLatency(world, ours)]

  await counted(url)
  const large = await peak(deleting(100_000), world)
  rows.push(
    atMost(`delete, ${concurrency} at once: connections`, concurrency, await counted(url), ''),
    atMost('delete, 100,000 ids', 150, large.mb, 'MB', collecting),
  )
  if (has('curl')) rows.push(...(await besideCurl(world, ours)))
  return rows
}

/** How much of connections ÷ latency is used; an answer never comes sooner than that. */
async function withLatency({ url, env }, ours) {
  const count = 2000
  const ms = await ours(count, { ...env, ANALYTICS_BASE_URL: `${url}/late/${latency}/` })
  const least = (count / concurrency) * latency
  const limit = 'a round of requests takes what we and the service work on them as well'
  return atLeast(`delete, ${latency} ms of latency`, 0.9, least / ms, '× connections ÷ latency', limit)
}

async function besideCurl({ home, url, env }, ours) {
  const address = id => `${url}/api/projects/50/persons/${id}/`
  const many = 20_000
  const config = join(home, 'curl')
  writeFileSync(
    config,
    Array.from({ length: many }, (_, i) => `url = "${address(i + 1)}"\noutput = /dev/null\n`).join(''),
  )
  const common = ['-s', '-X', 'DELETE', '-H', 'Authorization: Bearer bench']
  const parallel = () =>
    time('curl', [...common, '--no-progress-meter', '-Z', '--parallel-max', concurrency, '-K', config], env)

  const few = 200
  const each = ['-P', concurrency, '-I{}', 'curl', ...common, address('{}')]
  const numbers = `seq ${few} | xargs "$@"`
  const one = () => time('sh', ['-c', numbers, 'sh', ...each], env)
  return [
    atLeast(
      `delete, ${many} ids`,
      0.5,
      await ratio(parallel, () => ours(many), 5),
      '× curl --parallel',
      'each request is a write and a read of the kernel, which take half of the time, and a turn of the event loop',
    ),
    atLeast(
      `delete, ${many} ids`,
      30,
      (await ratio(one, () => ours(many), 3)) * (many / few),
      '× xargs -P8 curl',
      'the faster the machine starts processes, the smaller it is',
    ),
  ]
}

/** Connections made to the service since it was asked last. */
async function counted(url) {
  const response = await fetch(`${url}/connections`, { headers: { connection: 'close' } })
  return Number(await response.text())
}
