/** Makes a host from the real process. Only this file and `prompt.ts` use `process`. */
import { setMaxListeners } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { hostname, userInfo } from 'node:os'
import { version } from '../package.json'
import { createCollector } from './collector.ts'
import { InterruptedError } from './errors.ts'
import { codeOf } from './files/system-error.ts'
import { type Clock, type Host, type Input, isCi, type Processes } from './host.ts'
import { withStatusLine } from './messages/status-line.ts'
import type { Prompt } from './prompt.ts'
import { run } from './run.ts'
import { ignoringErrors, isTty, openOutput } from './streams.ts'
import { longestTimer } from './values/duration.ts'

const interruption = new AbortController()
// Each waiting request adds a listener; Node warns about more than ten.
setMaxListeners(0, interruption.signal)
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    // Node undoes `nohup`, so a run without a terminal ignores SIGHUP itself.
    if (signal === 'SIGHUP' && terminals.length === 0) return
    const reason = new InterruptedError(signal)
    // A second signal ends the program at once, but a closing terminal sends SIGHUP twice.
    if (interruption.signal.aborted) {
      if (signal === 'SIGHUP') return
      host.stderr.statusLine?.('')
      end(reason.exit)
    }
    interruption.abort(reason)
  })
}

// Some versions of Node warn that their own database is experimental.
const [printWarning] = process.listeners('warning')
process.removeAllListeners('warning')
process.on('warning', warning => {
  if (warning.name !== 'ExperimentalWarning') printWarning?.(warning)
})

const clock: Clock = {
  now: () => Date.now(),
  // Not `performance`, because loading it takes longer than most answers.
  elapsed() {
    const [seconds, nanoseconds] = process.hrtime()
    return seconds * 1000 + nanoseconds / 1e6
  },
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason)
      const abort = () => {
        clearTimeout(timer)
        reject(signal?.reason)
      }
      const timer = setTimeout(
        () => {
          signal?.removeEventListener('abort', abort)
          resolve()
        },
        Math.min(ms, longestTimer),
      )
      signal?.addEventListener('abort', abort, { once: true })
    }),
}

let prompt: Prompt | undefined

async function openPrompt(): Promise<Prompt> {
  const { createPrompt } = await import('./prompt.ts')
  prompt ??= createPrompt(process.stdin, process.stderr, interruption.signal)
  return prompt
}

/** A CI service may provide a terminal that no person uses. */
const isAttended = !isCi(process.env)

/** Read at the start, because a closed terminal is not recognised later. */
const terminals = [0, 1, 2].filter(isTty)

const input: Input = {
  isTerminal: isTty(0) && isAttended,
  async *read() {
    const { untilInterrupted, whileUnchanged } = await import('./files/read.ts')
    yield* whileUnchanged(0, untilInterrupted(process.stdin, interruption.signal), 'stdin')
  },
  ask: async (question, hidden = false) => (await openPrompt()).ask(question, hidden),
  dropTyped: async () => (await openPrompt()).dropTyped(),
}

const stderr = ignoringErrors(openOutput(2, () => process.stderr, interruption.signal))

const processes: Processes = {
  own: process.pid,
  isRunning(pid) {
    try {
      return process.kill(pid, 0)
    } catch (error) {
      return codeOf(error) === 'EPERM'
    }
  },
}

/** The current folder may have been removed. */
function currentFolder(): string {
  try {
    return process.cwd()
  } catch {
    return process.env.PWD || '/'
  }
}

/** A service or container may set no variable; the system knows the folder too. */
function homeFolder(): string | undefined {
  try {
    return process.env.HOME || process.env.USERPROFILE || userInfo().homedir
  } catch {
    // A package asks for this folder when it is loaded, and fails without one.
    process.env.HOME = '/'
    return undefined
  }
}

const host: Host = withStatusLine({
  version,
  node: process.versions.node,
  platform: `${process.platform} ${process.arch}`,
  env: process.env,
  cwd: currentFolder(),
  home: homeFolder(),
  machine: hostname(),
  stdin: input,
  stdout: openOutput(1, () => process.stdout, interruption.signal),
  stderr: isAttended ? stderr : { ...stderr, columns: undefined },
  clock,
  processes,
  collectGarbage: createCollector(),
  random: Math.random,
  interrupted: interruption.signal,
})

run(process.argv.slice(2), host).then(async code => {
  await stderr.settled()
  if (isTty(0)) await prompt?.close()
  // All output is written, so open connections can be dropped.
  end(code)
})

function end(code: number): never {
  for (const terminal of terminals) if (!isTty(terminal)) closeTerminal(terminal)
  process.exit(code)
}

/** Node aborts if it cannot reset a closed terminal, and the core dump may hold the key. */
function closeTerminal(terminal: number): void {
  try {
    closeSync(terminal)
    openSync('/dev/null', 'r+')
  } catch {
    // It was closed before.
  }
}
