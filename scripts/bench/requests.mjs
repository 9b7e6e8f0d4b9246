/** What a run costs: how many requests the program sends to the sandbox as observed, with 10,000 persons, over HTTP. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { definitionOf, openCounter } from './counter.mjs'
import { atMost, has, program, time } from './measure.mjs'
import { distinctIdOf, emailOf, exported, serve, uuidOf } from './served.mjs'

const persons = 10_000

const deleting = ['persons', 'delete', '--yes', '--max', '1000']
const byName = count => Array.from({ length: count }, (_, i) => ['--by-name', definitionOf(i)]).flat()
const backup = home => ['--backup', join(home, 'backup.ndjson'), '--receipt', join(home, 'receipt.json')]

const ofEvents = home => ['--receipt', join(home, 'events.json')]

/** Each deletion takes persons of its own: `of` gives the lines of a file about so many of them. */
const cases = [
  ['persons list --limit 10000', 10, () => ['persons', 'list', '--limit', '10000']],
  ['persons list --limit 1000, compressed', 40, () => ['persons', 'list', '--limit', '1000'], { compressing: true }],
  ['delete 1,000 by id', 1004, of => [...deleting, '--from', of(uuidOf)]],
  ['  with --backup and --receipt', 2004, (of, home) => [...deleting, '--from', of(uuidOf), ...backup(home)]],
  ['  with --batch 1000, UUIDs checked', 12, of => [...deleting, '--from', of(uuidOf), '--batch', '1000']],
  ['delete 1,000 by email, all known', 1030, of => [...deleting, '--emails-from', of(emailOf)]],
  ['delete 1,000 by distinct id, all known', 1010, of => [...deleting, '--distinct-ids-from', of(distinctIdOf)]],
  ['  on an older server', 2005, of => [...deleting, '--distinct-ids-from', of(distinctIdOf)], { older: true }],
  [
    'verify 100 whose events are deleted too',
    202,
    (_, home) => ['persons', 'verify', ...ofEvents(home)],
    {
      exit: [0, 8],
      before: (of, home) => [...deleting, '--from', of(uuidOf, 100), '--delete-events', ...ofEvents(home)],
    },
  ],
  ['delete 1,000 by filter', 1005, () => [...deleting, '--property', 'team=t10']],
  [
    'delete 60 at 240 a minute, 429 without Retry-After',
    110,
    of => [...deleting, '--from', of(uuidOf, 60)],
    { limited: true },
  ],
  [
    'delete 100 by UUID that are gone',
    400,
    of => [...deleting, '--from', of(id => uuidOf(id + persons), 100)],
    { exit: 3 },
  ],
  ['event-definitions get NAME, of 2,000', 3, () => ['event-definitions', 'get', definitionOf(1999)]],
  [
    'event-definitions update --add-tag --by-name, 50 of 2,000',
    104,
    () => ['event-definitions', 'update', '--yes', '--add-tag', 'bench', ...byName(50)],
  ],
  [
    'projects apply --yes, 3 that differ',
    6,
    (_, home) => ['projects', 'apply', '--yes', '-f', settings(home, 'Asia/Tokyo')],
  ],
  [
    'projects apply, 3 that differ, confirmed',
    9,
    (_, home) => ['projects', 'apply', '-f', settings(home, 'Asia/Seoul')],
    { answer: [/Type 3 to [^:]*:/, '3\r'] },
  ],
]

export async function requests({ home, env }) {
  const own = { ...env, ANALYTICS_STATE_DIR: join(home, 'requests'), ANALYTICS_PROJECT: '1' }
  await prepare(home, own)
  const { base_url, api_key, close } = await serve([program, 'sandbox', 'serve', '--dialect', 'observed'], own)
  const rows = []
  let taken = 0
  const of = (lineOf, count = 1000) => {
    const file = join(home, `targets-${taken}`)
    writeFileSync(file, Array.from({ length: count }, () => `${lineOf(++taken)}\n`).join(''))
    return file
  }
  try {
    for (const [name, goal, args, answering = {}] of cases) {
      const counter = await openCounter(base_url, answering)
      const counted = { ...own, ANALYTICS_BASE_URL: counter.url, ANALYTICS_API_KEY: api_key }
      if (name.startsWith('projects')) delete counted.ANALYTICS_PROJECT
      if (answering.answer && !has('script')) continue
      if (answering.before) {
        await time(process.execPath, [program, ...answering.before(of, home)], counted)
        counter.counted.requests = 0
      }
      if (answering.answer) await atTerminal(args(of, home), counted, answering.answer)
      else await time(process.execPath, [program, ...args(of, home)], counted, answering.exit)
      counter.close()
      const { requests, bytes } = counter.counted
      const [value, unit] = answering.compressing ? [bytes / 1024, 'KB'] : [requests, 'requests']
      rows.push(atMost(name, goal, value, unit))
    }
  } finally {
    await close()
  }
  return rows
}

/** The last thousand persons are team t10. */
async function prepare(home, env) {
  const run = args => time(process.execPath, [program, ...args], env)
  const teamOf = id => ({ team: `t${Math.ceil(id / 1000)}` })
  await run(['sandbox', 'load', exported(home, persons, teamOf)])
  await run(['projects', 'create', '--sandbox', '--name', 'Third', '--yes'])
}

/** A folder with a file for each of three projects. */
function settings(home, timezone) {
  const folder = join(home, 'settings')
  mkdirSync(folder, { recursive: true })
  for (const project of [1, 2, 3]) {
    writeFileSync(join(folder, `${project}.yaml`), `project: ${project}\ntimezone: ${timezone}\n`)
  }
  return folder
}

/** Types an answer as soon as the question stands there. */
async function atTerminal(argv, env, [question, answer]) {
  const line = [process.execPath, program, ...argv].map(word => `'${word}'`).join(' ')
  const child = spawn('script', ['-qefc', line, '/dev/null'], {
    env,
    stdio: ['pipe', 'pipe', 'inherit'],
    timeout: 120_000,
  })
  let screen = ''
  child.stdout.on('data', chunk => {
    screen += chunk
    if (!question.test(screen)) return
    screen = ''
    child.stdin.write(answer)
  })
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`${line} ended with ${code}`)
}
