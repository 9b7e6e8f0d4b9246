/** What a run costs: how many requests the program sends to the sandbox as observed, with 10,000 persons, over HTTP. */
import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openCounter } from './counter.mjs'
import { atMost, program, time } from './measure.mjs'
import { emailOf, exported, serve, uuidOf } from './served.mjs'

const persons = 10_000
const definitions = 2000

const deleting = ['persons', 'delete', '--yes', '--max', '1000']
const byName = count => Array.from({ length: count }, (_, i) => ['--by-name', definitionOf(i + 1)]).flat()

/** Each deletion takes persons of its own: `of` gives the lines of a file about so many of them. */
const cases = [
  { name: 'persons list --limit 10000', goal: 10, args: () => ['persons', 'list', '--limit', '10000'] },
  {
    name: 'persons list --limit 1000, from a server that compresses',
    goal: 40,
    args: () => ['persons', 'list', '--limit', '1000'],
    compressing: true,
  },
  { name: 'delete 1,000 by id', goal: 1004, args: of => [...deleting, '--from', of(uuidOf)] },
  {
    name: '  with --backup',
    goal: 2004,
    args: (of, home) => [...deleting, '--from', of(uuidOf), '--backup', join(home, 'backup.ndjson')],
  },
  { name: '  with --batch 1000', goal: 8, args: of => [...deleting, '--from', of(uuidOf), '--batch', '1000'] },
  { name: 'delete 1,000 by e-mail, all known', goal: 1030, args: of => [...deleting, '--emails-from', of(emailOf)] },
  { name: 'delete 1,000 by filter', goal: 1005, args: () => [...deleting, '--property', 'team=10'] },
  {
    name: 'delete 60 at 240 a minute, 429 without Retry-After',
    goal: 75,
    args: of => [...deleting, '--from', of(uuidOf, 60)],
    limited: true,
  },
  {
    name: 'event-definitions get --by-name, of 2,000',
    goal: 3,
    args: () => ['event-definitions', 'get', ...byName(1)],
  },
  {
    name: 'event-definitions update --add-tag --by-name, 50 of 2,000',
    goal: 104,
    args: () => ['event-definitions', 'update', '--yes', '--add-tag', 'bench', ...byName(50)],
  },
  {
    name: 'projects apply, 3 that differ',
    goal: 9,
    args: (_, home) => ['projects', 'apply', '1', '2', '3', '--yes', '-f', join(home, 'settings.json')],
  },
]

export async function requests(world) {
  const home = { ...world.env, ANALYTICS_STATE_DIR: join(world.home, 'requests'), ANALYTICS_PROJECT: '1' }
  await prepare(world.home, home)
  const { base_url, api_key, close } = await serve([program, 'sandbox', 'serve', '--dialect', 'observed'], home)
  const rows = []
  let taken = 0
  const of = (lineOf, count = 1000) => {
    const file = join(world.home, `targets-${taken}`)
    writeFileSync(file, Array.from({ length: count }, () => `${lineOf(++taken)}\n`).join(''))
    return file
  }
  try {
    for (const { name, goal, args, ...answering } of cases) {
      const counter = await openCounter(base_url, answering)
      const env = { ...home, ANALYTICS_BASE_URL: counter.url, ANALYTICS_API_KEY: api_key }
      await time(process.execPath, [program, ...args(of, world.home)], env)
      counter.close()
      const { requests, bytes } = counter.counted
      const [value, unit] = answering.compressing ? [bytes / 1024, 'KB'] : [requests, 'requests']
      rows.push({ ...atMost(name, goal, value, unit), isCount: true })
    }
  } finally {
    await close()
  }
  return rows
}

async function prepare(home, env) {
  const run = args => time(process.execPath, [program, ...args], env)
  await run(['sandbox', 'load', await exported(home, persons, browserOf)])
  await run(['projects', 'create', '--sandbox', '--name', 'Third', '--yes'])
  writeFileSync(join(home, 'settings.json'), '{"timezone":"Asia/Tokyo"}\n')
  const database = await openDatabase(join(env.ANALYTICS_STATE_DIR, 'sandbox.db'))
  // Nothing in the sandbox creates event definitions.
  database.exec(`
    WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${definitions}),
      made AS (SELECT printf('00000000-0000-4000-8000-%012d', n) AS id, printf('event %04d', n) AS name FROM numbers)
    INSERT INTO event_definitions (uuid, project, record)
      SELECT made.id, 1, json_set(record, '$.id', made.id, '$.name', made.name, '$.tags', json('[]'))
      FROM made, (SELECT record FROM event_definitions WHERE project = 1 LIMIT 1)`)
  database.close()
}

function definitionOf(number) {
  return `event ${String(number).padStart(4, '0')}`
}

async function openDatabase(path) {
  try {
    const { DatabaseSync } = await import('node:sqlite')
    return new DatabaseSync(path)
  } catch {
    const { default: Libsql } = await import('libsql')
    return new Libsql(path)
  }
}

const devices = [
  { $os: 'Windows', $browser: 'Chrome', $device_type: 'Desktop', $screen_width: 1920, $screen_height: 1080 },
  { $os: 'Mac OS X', $browser: 'Safari', $device_type: 'Desktop', $screen_width: 2560, $screen_height: 1440 },
  { $os: 'Android', $browser: 'Chrome', $device_type: 'Mobile', $screen_width: 360, $screen_height: 800 },
  { $os: 'iOS', $browser: 'Mobile Safari', $device_type: 'Mobile', $screen_width: 390, $screen_height: 844 },
]
const places = [
  { $geoip_country_code: 'GB', $geoip_country_name: 'United Kingdom', $geoip_time_zone: 'Europe/London' },
  { $geoip_country_code: 'DE', $geoip_country_name: 'Germany', $geoip_time_zone: 'Europe/Berlin' },
  { $geoip_country_code: 'JP', $geoip_country_name: 'Japan', $geoip_time_zone: 'Asia/Tokyo' },
]
const sources = [
  { $initial_referrer: '$direct', $initial_referring_domain: '$direct', $initial_utm_source: null },
  {
    $initial_referrer: 'https://search.example.com/',
    $initial_referring_domain: 'search.example.com',
    $initial_utm_source: 'newsletter',
  },
]

/** What a library in a browser sets, so that a person takes some 740 bytes; the last thousand persons are team 10. */
function browserOf(id) {
  const digest = createHash('sha256').update(`browser of ${id}`).digest()
  const pick = (place, choices) => choices[digest[place] % choices.length]
  return {
    team: String(Math.ceil(id / 1000)),
    ...pick(0, devices),
    ...pick(1, places),
    ...pick(2, sources),
    $initial_current_url: 'https://shop.example.com/offers',
    $lib: 'web',
    $lib_version: '1.97.0',
  }
}
