/** Times whole processes from outside, and compares such times. */
import { execFile, execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const root = join(import.meta.dirname, '../..')
export const program = join(root, 'bin/analytics.js')

/** Milliseconds from the start of a process to its end; its output is discarded. `exit`: the exit code, or a list of them. */
export function time(command, args, env, exit = 0) {
  return new Promise((resolve, reject) => {
    const start = process.hrtime.bigint()
    const child = spawn(command, args, { env, stdio: 'ignore' })
    child.once('error', reject)
    child.once('exit', code => {
      if (![exit].flat().includes(code)) reject(new Error(`${command} ${args.join(' ')} ended with ${code}`))
      else resolve(Number(process.hrtime.bigint() - start) / 1e6)
    })
  })
}

/** Milliseconds of processor time, which waits of a busy machine do not change as much. Needs bash. */
export async function cpu(command, args, env) {
  const script = '"$@" > /dev/null 2>&1 || exit; times'
  const { stdout } = await promisify(execFile)('bash', ['-c', script, 'bash', command, ...args], { env })
  const [, ofChildren] = stdout.split('\n')
  const spent = [...ofChildren.matchAll(/(\d+)m([\d.]+)s/g)].map(([, minutes, s]) => 60 * minutes + Number(s))
  return 1000 * spent.reduce((sum, one) => sum + one)
}

/** The most memory in MB that a run of the program held. */
export async function peak(args, { home, env }) {
  const REPORT = join(home, 'peak')
  const argv = ['--require', join(import.meta.dirname, 'peak.cjs'), program, ...args]
  await time(process.execPath, argv, { ...env, REPORT })
  return Number(readFileSync(REPORT, 'utf8')) / 1024
}

/** The median of `rounds` ratios of two times, measured in turn so that drift hits both; a first round is discarded. */
export async function ratio(first, second, rounds) {
  const ratios = []
  for (let i = 0; i <= rounds; i++) {
    const a = await first()
    const b = await second()
    if (i > 0) ratios.push(a / b)
  }
  return ratios.toSorted((a, b) => a - b)[Math.floor(rounds / 2)]
}

export function atMost(name, goal, value, unit) {
  return { name, goal: `<= ${goal}`, value, unit, met: value <= goal }
}

export function atLeast(name, goal, value, unit) {
  return { name, goal: `>= ${goal}`, value, unit, met: value >= goal }
}

/** Whether a command is installed; comparisons with others are left out. */
export function has(command) {
  try {
    execFileSync('sh', ['-c', `command -v ${command}`], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

/** The size of the npm package. */
export function size() {
  const words = ['pack', '--dry-run', '--json', '--ignore-scripts']
  const [packed] = JSON.parse(execFileSync('npm', words, { cwd: root, stdio: ['ignore', 'pipe', 'ignore'] }))
  return [atMost('the packed npm package', 280, packed.size / 1024, 'KB')]
}

/** Starts the service in a process of its own; `env` points to it, with an empty home folder. */
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
    env: {
      ...rest,
      HOME: home,
      ANALYTICS_BASE_URL: url,
      ANALYTICS_API_KEY: `phx_${'0aZ'.repeat(15)}`,
      ANALYTICS_PROJECT: '50',
    },
    close() {
      child.kill()
      rmSync(home, { recursive: true, force: true })
    },
  }
}
