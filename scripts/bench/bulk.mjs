/** `persons delete --from` with its journal, beside curl and beside what the connections and the latency allow. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { atLeast, atMost, has, peak, program, ratio, time } from './measure.mjs'

const concurrency = 8
const latency = 20

export async function bulk(world) {
  const { home, url, env } = world
  const ids = count => {
    const file = join(home, `ids-${count}`)
    writeFileSync(file, Array.from({ length: count }, (_, i) => `${i + 1}\n`).join(''))
    return file
  }
  const deleting = count => ['persons', 'delete', '--from', ids(count), '--concurrency', concurrency, '--yes', '-q']
  const ours = (count, more = {}) => time(process.execPath, [program, ...deleting(count)], { ...env, ...more })

  const few = 2000
  const ms = await ours(few, { ANALYTICS_BASE_URL: `${url}/late/${latency}/` })
  const used = (few / concurrency) * (latency / ms)
  const rows = [
    atLeast(`delete, ${latency} ms of latency`, 0.9, used, '× connections ÷ latency'),
    atMost('delete, 100,000 ids', 100, await peak(deleting(100_000), world), 'MB'),
    atMost('delete, 500,000 ids', 200, await peak(deleting(500_000), world), 'MB'),
    atMost('jobs show -o ndjson of them', 120, await peak(['jobs', 'show', '--last', '-o', 'ndjson'], world), 'MB'),
    atMost('delete, a million ids', 250, await peak(deleting(1_000_000), world), 'MB'),
  ]
  if (!has('curl')) return rows

  const many = 20_000
  const config = join(home, 'deletes.curl')
  const request = id => `url = "${url}/api/projects/50/persons/${id}/"\noutput = /dev/null\n`
  writeFileSync(config, Array.from({ length: many }, (_, i) => request(i + 1)).join(''))
  const words = ['-s', '-X', 'DELETE', '-H', 'Authorization: Bearer bench', '--no-progress-meter']
  const parallel = () => time('curl', [...words, '-Z', '--parallel-max', concurrency, '-K', config], env)
  const value = await ratio(parallel, () => ours(many), 5)
  return [...rows, atLeast(`delete, ${many} ids`, 0.4, value, '× curl --parallel')]
}
