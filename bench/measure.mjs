/** Whole processes, timed from outside. */
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export const program = join(import.meta.dirname, '../bin/analytics.js')

/** Milliseconds from the start of a process to its end, its output thrown away. Rejects when it fails. */
export function time(command, args, env) {
  return new Promise((resolve, reject) => {
    const start = process.hrtime.bigint()
    const child = spawn(command, args, { env, stdio: ['ignore', 'ignore', 'inherit'] })
    child.once('error', reject)
    child.once('exit', code => {
      if (code !== 0 && code !== 2) reject(new Error(`${command} ${args.join(' ')} ended with ${code}`))
      else resolve(Number(process.hrtime.bigint() - start) / 1e6)
    })
  })
}

export function median(numbers) {
  const sorted = numbers.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)]
}

/** The service in a process of its own, and an environment that leads to it from an empty home. */
export async function world() {
  const home = mkdtempSync(join(tmpdir(), 'analytics-bench-'))
  const child = spawn(process.execPath, [join(import.meta.dirname, 'service.mjs')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const port = await new Promise(resolve => child.stdout.once('data', chunk => resolve(String(chunk).trim())))
  // Node 20 parses the whole bundle of NODE_EXTRA_CA_CERTS at every start, which would hide what is measured.
  const { NODE_EXTRA_CA_CERTS: _, ...rest } = process.env
  const url = `http://127.0.0.1:${port}`
  return {
    home,
    url,
    env: { ...rest, HOME: home, ANALYTICS_BASE_URL: url, ANALYTICS_API_KEY: 'bench', ANALYTICS_PROJECT: '50' },
    close() {
      child.kill()
      rmSync(home, { recursive: true, force: true })
    },
  }
}
