/** The sandbox: how long an export of 100,000 persons takes to load, and its answers a second over HTTP with them. */
import { join } from 'node:path'
import { Pool } from 'undici'
import { atLeast, atMost, collecting, peak, watched } from './measure.mjs'
import { exported, serve } from './served.mjs'

const requests = 10_000
const concurrency = 8
const persons = 100_000

export async function sandbox(world) {
  const home = {
    ...world,
    env: { ...world.env, ANALYTICS_STATE_DIR: join(world.home, 'sandbox'), ANALYTICS_PROJECT: '1' },
  }
  const load = await peak(['sandbox', 'load', await exported(world.home, persons)], home)
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
  const { argv, mb } = watched(['sandbox', 'serve'], home)
  const { base_url, api_key, project, close } = await serve(argv, env)
  const rates = {}
  try {
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
    await close()
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
