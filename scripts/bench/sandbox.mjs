/** The sandbox: how long an export of 100,000 persons takes to load, and its answers a second over HTTP with them. */
import { Agent, request } from 'node:http'
import { join } from 'node:path'
import { atLeast, atMost, peak, program, time } from './measure.mjs'
import { exported, serve } from './served.mjs'

const persons = 100_000
const requests = 5000

export async function sandbox(world) {
  const file = exported(world.home, persons)
  const env = { ...world.env, ANALYTICS_STATE_DIR: join(world.home, 'loaded'), ANALYTICS_PROJECT: '1' }
  const seconds = (await time(process.execPath, [program, 'sandbox', 'load', file], env)) / 1000
  const megabytes = await peak(['sandbox', 'load', file], { ...world, env })
  const { base_url, api_key, close } = await serve([program, 'sandbox', 'serve'], env)
  const agent = new Agent({ keepAlive: true, maxSockets: 8 })
  const headers = { authorization: `Bearer ${api_key}` }
  const ask = path =>
    new Promise((resolve, reject) => {
      const asked = request(`${base_url}/api/projects/1/persons/${path}`, { agent, headers }, answer => {
        answer.resume().once('end', () => resolve(answer.statusCode))
      })
      asked.once('error', reject).end()
    })
  try {
    const gets = await rateOf(number => ask(`${persons - number}/`))
    const pages = await rateOf(number => ask(`?limit=10&offset=${(number % 10) * 10}`))
    return [
      atMost('sandbox load, 100,000 persons', 15, seconds, 's'),
      atMost('sandbox load, 100,000 persons', 150, megabytes, 'MB'),
      atLeast('sandbox serve with them, GETs of a person', 2000, gets, 'a second'),
      atLeast('sandbox serve with them, pages of ten', 1000, pages, 'a second'),
    ]
  } finally {
    agent.destroy()
    await close()
  }
}

/** Eight are under way at a time. */
async function rateOf(ask) {
  const start = performance.now()
  let next = 0
  const worker = async () => {
    while (next < requests) if ((await ask(next++)) !== 200) throw new Error('The sandbox answered no 200')
  }
  await Promise.all(Array.from({ length: 8 }, worker))
  return (requests / (performance.now() - start)) * 1000
}
