/** Makes a host from the real process. Only this file and `prompt.ts` use `process`. */
import { setMaxListeners } from 'node:events'
import { createReadStream } from 'node:fs'
import { hostname, userInfo } from 'node:os'
import { version } from '../package.json'
import { InterruptedError } from './errors.ts'
import { codeOf } from './files/system-error.ts'
import { type Clock, type Host, isCi } from './host.ts'
import { withSpinner } from './messages/spinner.ts'
import { run } from './run.ts'
import { descriptorStats, isTty, openOutput } from './streams.ts'
import { longestTimer } from './values/duration.ts'

const interruption = new AbortController()
// Each waiting request adds a listener; Node warns about more than ten.
setMaxListeners(0, interruption.signal)
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    const reason = new InterruptedError(signal)
    if (interruption.signal.aborted) {
      host.setStatusLine?.(undefined)
      process.exit(reason.exit)
    }
    interruption.abort(reason)
  })
}
// Node would undo the effect of `nohup`.
if (![0, 1, 2].some(isTty)) process.on('SIGHUP', () => undefined)

// Some versions of Node warn that their own database is experimental.
const [printWarning] = process.listeners('warning')
process.removeAllListeners('warning')
process.on('warning', warning => {
  if (warning.name !== 'ExperimentalWarning') printWarning?.(warning)
})

const clock: Clock = {
  now: Date.now,
  // Not `performance`, because loading it takes longer than most responses.
  elapsed: () => Number(process.hrtime.bigint()) / 1e6,
  async sleep(ms, signal) {
    const { setTimeout } = await import('node:timers/promises')
    await setTimeout(Math.min(ms, longestTimer), undefined, { signal }).catch(() => signal?.throwIfAborted())
  },
}

/** A CI service may provide a terminal that no person uses. */
const isAttended = !isCi(process.env)

const stdin: Host['stdin'] = {
  isTerminal: isTty(0) && isAttended,
  async *read() {
    const { untilInterrupted } = await import('./files/read-input.ts')
    // Node would read a folder as an empty input.
    const stream = descriptorStats(0)?.isDirectory() ? createReadStream('', { fd: 0 }) : process.stdin
    yield* untilInterrupted(stream, interruption.signal)
  },
  async ask(question, hidden = false) {
    const { ask } = await import('./prompt.ts')
    return ask(question, hidden, interruption.signal)
  },
}

const started = Date.now() - process.uptime() * 1000

const processes: Host['processes'] = {
  pid: process.pid,
  isRunning(pid, seenAt) {
    // Windows and containers reuse process ids soon.
    if (pid === process.pid) return seenAt >= started
    try {
      return process.kill(pid, 0)
    } catch (error) {
      return codeOf(error) === 'EPERM'
    }
  },
}

function currentFolder(): string | undefined {
  try {
    return process.cwd()
  } catch {
    return undefined
  }
}

/** Asks the system where HOME is not set, as in some containers. */
function homeFolder(): string | undefined {
  try {
    const home = process.env.HOME || userInfo().homedir
    // System accounts without a home folder have this one.
    return home === '/dev/null' ? undefined : home
  } catch {
    // conf needs a home folder when it is loaded.
    process.env.HOME = '/'
    return undefined
  }
}

const stderr = openOutput(2, () => process.stderr, interruption.signal)

const host: Host = withSpinner(
  {
    version,
    node: process.versions.node,
    platform: `${process.platform} ${process.arch}`,
    env: process.env,
    cwd: currentFolder(),
    home: homeFolder(),
    machine: hostname(),
    stdin,
    stdout: openOutput(1, () => process.stdout, interruption.signal),
    stderr: isAttended ? stderr : { ...stderr, columns: undefined },
    clock,
    processes,
    random: Math.random,
    interrupted: interruption.signal,
  },
  () => process.stderr,
)

run(process.argv.slice(2), host).then(async code => {
  // Waits until a full pipe has taken the last messages.
  await stderr.write('')
  // All output is written, so open connections can be dropped.
  process.exit(code)
})
