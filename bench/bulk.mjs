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

  await connectionsOf(url)
  const many = await peak(deleting(100_000), world)
  rows.push(
    atMost(`delete, ${concurrency} at once: connections`, concurrency, await connectionsOf(url), ''),
    atMost('delete, 100,000 ids', 120, many.mb, 'MB', collecting),
  )
  const million = await peak(deleting(1_000_000), world)
  rows.push(
    atLeast('delete, a million ids', 15, 1_000_000 / million.ms, 'thousand a second', transport),
    atMost('delete, a million ids', 300, million.mb, 'MB', collecting),
  )
  // The job that was kept last is the one of a million.
  const shown = await peak(['jobs', 'show', await lastJob(world), '-o', 'ndjson'], world)
  const receipt = await peak(['jobs', 'receipt', await lastJob(world)], world)
  rows.push(
    atMost('jobs show -o ndjson, a million ids', 200, shown.mb, 'MB', collecting),
    atMost('jobs receipt, a million ids', 200, receipt.mb, 'MB', collecting),
  )
  if (has('curl')) rows.push(...(await besideCurl(world, ours)))
  return rows
}

const transport =
  'each request is a write and a read of the kernel, which take half of the time, and a turn of the event loop'

/** How much of connections ÷ latency is used; an answer never comes sooner than that. */
async function withLatency({ url, env }, ours) {
  const count = 2000
  const ms = await ours(count, { ...env, ANALYTICS_BASE_URL: `${url}/late/${latency}/` })
  const least = (count / concurrency) * latency
  const limit = 'a round of requests takes what we and the service work on them as well'
  return atLeast(`delete, ${latency} ms of latency`, 0.9, least / ms, '× connections ÷ latency', limit)
}

async function lastJob({ env }) {
  const { execFileSync } = await import('node:child_process')
  const listed = execFileSync(process.execPath, [program, 'jobs', 'list', '-o', 'json'], { env, encoding: 'utf8' })
  const jobs = JSON.parse(listed)
  return jobs.find(({ total }) => total === 1_000_000).id
}

async function besideCurl(world, ours) {
  const { home, url, env } = world
  const address = id => `${url}/api/projects/50/persons/${id}/`
  const common = ['-s', '-X', 'DELETE', '-H', 'Authorization: Bearer bench']
  const parallel = count => {
    const config = join(home, `curl-${count}`)
    const requests = Array.from({ length: count }, (_, i) => `url = "${address(i + 1)}"\noutput = /dev/null\n`)
    writeFileSync(config, requests.join(''))
    return () =>
      time('curl', [...common, '--no-progress-meter', '-Z', '--parallel-max', concurrency, '-K', config], env)
  }
  const rows = []
  for (const [count, goal] of [
    [5_000, 0.45],
    [20_000, 0.5],
  ]) {
    const value = await ratio(parallel(count), () => ours(count), 5)
    rows.push(atLeast(`delete, ${count} ids`, goal, value, '× curl --parallel', transport))
  }

  const few = 200
  const many = 20_000
  const each = ['-P', concurrency, '-I{}', 'curl', ...common, address('{}')]
  const numbers = `seq ${few} | xargs "$@"`
  const one = () => time('sh', ['-c', numbers, 'sh', ...each], env)
  const value = (await ratio(one, () => ours(many), 3)) * (many / few)
  const limit = 'the faster the machine starts processes, the smaller it is'
  return [...rows, atLeast(`delete, ${many} ids`, 30, value, '× xargs -P8 curl', limit)]
}

/** Connections made to the service since it was asked last. */
async function connectionsOf(url) {
  const response = await fetch(`${url}/connections`, { headers: { connection: 'close' } })
  return Number(await response.text())
}
