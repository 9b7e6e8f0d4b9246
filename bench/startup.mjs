/** Start-up, each command in turn with an empty script under the same Node: A B A B …, so that drift hits both. */
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const program = join(import.meta.dirname, '../bin/analytics.js')
const rounds = 25

/** Rows of { name, goal, ratio, unit: '× floor' }. */
export async function startup() {
  const folder = mkdtempSync(join(tmpdir(), 'analytics-bench-'))
  const empty = join(folder, 'empty.js')
  writeFileSync(empty, '')
  const server = await persons(50)
  // Node 20 parses the whole bundle of NODE_EXTRA_CA_CERTS at every start, which would hide what is measured.
  const { NODE_EXTRA_CA_CERTS: _, ...rest } = process.env
  const env = {
    ...rest,
    HOME: folder,
    ANALYTICS_BASE_URL: server.url,
    ANALYTICS_API_KEY: 'bench',
    ANALYTICS_PROJECT: '1',
  }
  const time = args => once([program, ...args], env)
  const cases = [
    ['--version', 1.15, ['--version']],
    ['--help', 1.15, ['--help']],
    ['persons --help', 1.3, ['persons', '--help']],
    ['a usage error', 1.4, ['persons', 'lsit']],
    ['persons list -o json, 50 rows', 2.2, ['persons', 'list', '-o', 'json']],
    ['persons list -o table, 50 rows', 3, ['persons', 'list']],
  ]
  try {
    const rows = []
    for (const [name, goal, args] of cases) {
      const ratios = []
      for (let i = 0; i < rounds; i++) {
        const ours = await time(args)
        ratios.push(ours / (await once([empty], env)))
      }
      rows.push({ name, goal, ratio: median(ratios.slice(1)), unit: '× floor' })
    }
    return rows
  } finally {
    server.close()
    rmSync(folder, { recursive: true })
  }
}

/** Milliseconds from the start of a process to its end. */
function once(args, env) {
  return new Promise((resolve, reject) => {
    const start = process.hrtime.bigint()
    const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'ignore', 'ignore'] })
    child.once('error', reject)
    child.once('exit', () => resolve(Number(process.hrtime.bigint() - start) / 1e6))
  })
}

function median(numbers) {
  const sorted = numbers.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)]
}

async function persons(count) {
  const results = Array.from({ length: count }, (_, i) => ({
    id: i + 1,
    name: `Person ${i + 1}`,
    distinct_ids: [`person-${i + 1}`],
    properties: { email: `person-${i + 1}@example.com`, note: 'x'.repeat(800) },
    created_at: '2026-01-01T00:00:00Z',
    uuid: `00000000-0000-4000-8000-${String(i + 1).padStart(12, '0')}`,
  }))
  const body = JSON.stringify({ count, next: null, previous: null, results })
  const server = createServer((_, response) => response.setHeader('content-type', 'application/json').end(body))
  await new Promise(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${server.address().port}/`,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}
