/** The sandbox: how long an export of 100,000 persons takes to load, and its answers a second over HTTP with them. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { Pool } from 'undici'
import { atLeast, atMost, collecting, peak, watched } from './measure.mjs'

const requests = 10_000
const concurrency = 8
const persons = 100_000

export async function sandbox(world) {
  const home = {
    ...world,
    env: { ...world.env, ANALYTICS_STATE_DIR: join(world.home, 'sandbox'), ANALYTICS_PROJECT: '1' },
  }
  const load = await peak(['sandbox', 'load', await exported(world.home)], home)
  const { persons: gets, pages, mb } = await served(home)
  return [
    atMost('sandbox load, 100,000 persons', 20, load.ms / 1000, 's'),
    atMost('sandbox load, 100,000 persons', 120, load.mb, 'MB', collecting),
    atLeast('sandbox serve with them, GETs of a person', 2000, gets, 'a second'),
    atLeast('sandbox serve with them, pages of ten', 1000, pages, 'a second'),
    atMost('sandbox serve with them', 120, mb, 'MB'),
  ]
}

async function served({ env, home }) {
  const { argv, mb } = watched(['sandbox', 'serve', '--port', '0', '-o', 'json', '-q'], home)
  const child = spawn(process.execPath, argv, { env, stdio: ['ignore', 'pipe', 'ignore'] })
  const rates = {}
  try {
    const [line] = await once(child.stdout, 'data')
    const { base_url, api_key, project } = JSON.parse(line)
    const pool = new Pool(base_url, { connections: concurrency })
    const ask = async path => {
      const { statusCode, body } = await pool.request({
        method: 'GET',
        path: `/api/projects/${project}/persons/${path}`,
        headers: { authorization: `Bearer ${api_key}` },
      })
      await body.dump()
      if (statusCode !== 200) throw new Error(`The sandbox answered ${statusCode}`)
    }
    // The smallest ids belong to the seed, in part of another project.
    rates.persons = await rateOf(number => ask(`${persons - (number % (persons / 2))}/`))
    rates.pages = await rateOf(number => ask(`?limit=10&offset=${(number % 10) * 10}`))
    await pool.close()
  } finally {
    child.kill()
    await once(child, 'exit')
  }
  return { ...rates, mb: mb() }
}

/** Answers a second, over kept connections; a tenth of the requests come first and are not counted. */
async function rateOf(ask) {
  await all(requests / 10, ask)
  const start = performance.now()
  await all(requests, ask)
  return (requests / (performance.now() - start)) * 1000
}

async function all(count, ask) {
  let left = count
  const worker = async () => {
    while (left-- > 0) await ask(left)
  }
  await Promise.all(Array.from({ length: concurrency }, worker))
}

/** A file of persons, as `persons list --all -o ndjson` writes it. */
async function exported(home) {
  const file = join(home, 'persons.ndjson')
  const stream = createWriteStream(file)
  for (let id = 1; id <= persons; id++) {
    const person = {
      id,
      uuid: `00000000-0000-4000-8000-${String(id).padStart(12, '0')}`,
      name: `Person ${id}`,
      distinct_ids: [`person-${id}`],
      properties: { email: `person-${id}@example.com`, plan: id % 3 === 0 ? 'pro' : 'free' },
      created_at: '2026-01-01T00:00:00Z',
    }
    if (!stream.write(`${JSON.stringify(person)}\n`)) await once(stream, 'drain')
  }
  stream.end()
  await once(stream, 'finish')
  return file
}
