/**
 * Runs the built program through nginx, often in front of a service, and checks exit codes, numbers of requests
 * and receipts: `npm run test:nginx`. It needs, of Debian: `apt-get install nginx openssl`.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { has, program, time } from '../../scripts/bench/measure.mjs'
import { exported, serve, uuidOf } from '../../scripts/bench/served.mjs'
import { cases, settings } from './cases.mjs'
import { certify, isSecured, startLosing, startNginx } from './front.mjs'

if (!has('nginx') || !has('openssl')) {
  process.stderr.write('nginx or openssl is missing: apt-get install nginx openssl\n')
  process.exit(2)
}
const folder = mkdtempSync(join(tmpdir(), 'analytics-nginx-'))
const home = { PATH: process.env.PATH, HOME: folder, ANALYTICS_STATE_DIR: join(folder, 'state') }
await time(process.execPath, [program, 'sandbox', 'load', exported(folder, 1000)], home)
const sandbox = await serve([program, 'sandbox', 'serve', '--dialect', 'observed'], home)
const losing = await startLosing(sandbox.base_url)
const server = certify(folder, 'localhost')

let taken = 0
const some = (count, lineOf = uuidOf) => {
  const file = join(folder, `targets-${taken}`)
  writeFileSync(file, Array.from({ length: count }, () => `${lineOf(++taken)}\n`).join(''))
  return file
}
const rows = cases({ some, backup: join(folder, 'backup.ndjson'), server })
const nginx = await startNginx(
  folder,
  settings({ upstream: new URL(sandbox.base_url).host, losing: losing.host }),
  rows,
)

async function run({ lines, args, env, prefix = '', scheme = isSecured(lines) ? 'https' : 'http' }, i) {
  const receipt = join(folder, `receipt-${i}.json`)
  const argv = [program, ...args, ...(args.includes('delete') ? ['--receipt', receipt] : [])]
  const child = spawn(process.execPath, argv, {
    env: {
      ...home,
      ANALYTICS_BASE_URL: `${scheme}://localhost:${nginx.ports[i]}/${prefix}`,
      ANALYTICS_API_KEY: sandbox.api_key,
      ANALYTICS_PROJECT: sandbox.project,
      ANALYTICS_CA_FILE: server.certificate,
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [stdout, stderr, [exit]] = await Promise.all([textOf(child.stdout), textOf(child.stderr), once(child, 'close')])
  const outcomes = existsSync(receipt) ? JSON.parse(readFileSync(receipt, 'utf8')).outcomes : []
  return { stdout, stderr, exit, outcomes, logged: nginx.logged(i) }
}

async function textOf(stream) {
  let text = ''
  for await (const chunk of stream) text += chunk
  return text
}

/** Which words of the table an outcome of a receipt counts for. */
const kinds = {
  accepted: ({ status, evidence }) => status === 'deleted' && evidence === 'accepted',
  inferred: ({ status, evidence }) => status === 'deleted' && evidence === 'inferred',
  gone: ({ status }) => status === 'gone',
  failed: ({ status }) => status === 'failed',
  left: ({ status }) => status === 'left',
}

/** What is not as it should be, in words. */
function faults(row, { stdout, stderr, exit, outcomes, logged }) {
  const found = []
  const compare = (what, is, wanted) => is === wanted || found.push(`${what}: ${is} in place of ${wanted}`)
  compare('exit code', exit, row.exit)
  if (logged.length > row.requests) found.push(`${logged.length} requests in place of ${row.requests}`)
  if (row.rows) compare('rows', stdout.split('\n').length - 1, row.rows)
  if (row.logged)
    compare(`"${row.logged}" in the log`, logged.filter(line => line.includes(row.logged)).length, logged.length)
  if (row.says && !stderr.includes(row.says)) found.push(`"${row.says}" is not said`)
  for (const kind in kinds) compare(kind, outcomes.filter(kinds[kind]).length, row[kind] ?? 0)
  return found.length > 0 ? [...found, stderr] : []
}

try {
  for (const [i, row] of rows.entries()) {
    const ran = await run(row, i)
    const found = faults(row, ran)
    if (found.length > 0) process.exitCode = 1
    process.stdout.write(`${found.length > 0 ? 'FAILED' : 'ok'}  ${row.name} (${ran.logged.length} requests)\n`)
    for (const fault of found) process.stdout.write(`        ${fault}\n`)
  }
} finally {
  await nginx.close()
  losing.close()
  await sandbox.close()
  rmSync(folder, { recursive: true })
}
