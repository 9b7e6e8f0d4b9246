/** Whole processes, timed from outside, and ratios of such times. */
import { execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export const program = join(import.meta.dirname, '../bin/analytics.js')

/** Milliseconds from the start of a process to its end, what it prints thrown away. Rejects when it fails. */
export function time(command, args, env) {
  return new Promise((resolve, reject) => {
    const start = process.hrtime.bigint()
    const child = spawn(command, args, { env, stdio: 'ignore' })
    child.once('error', reject)
    child.once('exit', code => {
      // A usage error is one of the cases.
      if (code !== 0 && code !== 2) reject(new Error(`${command} ${args.join(' ')} ended with ${code}`))
      else resolve(Number(process.hrtime.bigint() - start) / 1e6)
    })
  })
}

/** Milliseconds of a run of ours, and the most memory that it took, in MB. */
export async function peak(args, { home, env }) {
  const hook = join(home, 'peak.cjs')
  const report = join(home, 'peak')
  const text = `require('node:fs').writeFileSync(${JSON.stringify(report)}, String(process.resourceUsage().maxRSS))`
  writeFileSync(hook, `process.on('exit', () => ${text})`)
  const ms = await time(process.execPath, ['--require', hook, program, ...args], env)
  return { ms, mb: Number(readFileSync(report, 'utf8')) / 1024 }
}

/** The median of `rounds` ratios of the first time to the second, run in turn so that drift hits both; one is thrown away. */
export async function ratio(first, second, rounds) {
  const ratios = []
  for (let i = 0; i <= rounds; i++) {
    const a = await first()
    const b = await second()
    if (i > 0) ratios.push(a / b)
  }
  return ratios.toSorted((a, b) => a - b)[Math.floor(rounds / 2)]
}

/** What sets the limit of memory. */
export const collecting = 'Node 22 and later let more garbage gather before they collect it; what is alive is the same'

/** A goal and what was measured; `limit`: what it is that sets the limit, told where the goal is missed. */
export function atMost(name, goal, value, unit, limit) {
  return { name, goal: `<= ${goal}`, value, unit, met: value <= goal, limit }
}

export function atLeast(name, goal, value, unit, limit) {
  return { name, goal: `>= ${goal}`, value, unit, met: value >= goal, limit }
}

/** Whether a command is installed: what is not is left out. */
export function has(command) {
  try {
    execFileSync('sh', ['-c', `command -v ${command}`], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

/** The service in a process of its own, and an environment that leads to it from an empty home. */
export async function openWorld() {
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
