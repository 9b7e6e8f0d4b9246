/** Questions at a terminal. */
import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises'
import { RefusedError } from './errors.ts'
import type { Input } from './host.ts'

type Ask = Input['ask']

export function createPrompt(input: NodeJS.ReadStream, output: NodeJS.WriteStream, signal: AbortSignal): Ask {
  return async (question, hidden = false) => {
    await dropTyped(input, signal)
    const answer = await readLine(input, output, { question, hidden, signal })
    // A secret may be pasted twice, and the shell would read the rest as a command.
    if (hidden) await dropTyped(input, signal)
    return answer
  }
}

interface Reading {
  readonly question: string
  readonly hidden: boolean
  readonly signal: AbortSignal
}

function readLine(
  input: NodeJS.ReadStream,
  output: NodeJS.WriteStream,
  { question, hidden, signal }: Reading,
): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    const shown = hidden ? new Writable({ write: (_, __, done) => done() }) : output
    const reader = createInterface({ input, output: shown, terminal: true, historySize: 0 })
    const abort = () => reader.close()
    // After a stop and `fg`, the shell has overwritten the question and reset the terminal modes.
    const showAgain = () => {
      input.setRawMode?.(false).setRawMode(true)
      if (hidden) output.write(question)
      reader.prompt(true)
    }
    // readline pauses at this signal too.
    const comeBack = () => setImmediate(showAgain)
    let answer: string | undefined
    process.on('SIGCONT', comeBack)
    reader.on('SIGINT', () => process.emit('SIGINT'))
    reader.on('close', () => {
      signal.removeEventListener('abort', abort)
      process.off('SIGCONT', comeBack)
      if (hidden || answer === undefined) output.write('\n')
      if (signal.aborted) reject(signal.reason)
      else resolve(answer)
    })
    signal.addEventListener('abort', abort)
    if (hidden) output.write(question)
    reader.question(question, line => {
      answer = line
      reader.close()
    })
    if (signal.aborted) abort()
  })
}

/**
 * 100 ms without input before a prompt, or 400 ms once some arrived, in slices of ms: on a busy machine each one takes longer,
 * and so does the silence. The longest wait is in seconds.
 */
const silence = { slice: 4, slices: 25, slicesAfterInput: 100, longestWait: 2 }

/**
 * Drops the input before the prompt, until nothing more arrives. A terminal delivers an unfinished line only in raw mode.
 * Throws `RefusedError` if the input does not stop.
 */
async function dropTyped(input: NodeJS.ReadStream, signal: AbortSignal): Promise<void> {
  if (input.readableEnded) return
  const began = process.uptime()
  let hasArrived = false
  let { slices } = silence
  const drop = (chunk: Buffer) => {
    hasArrived = true
    slices = silence.slicesAfterInput
    if (chunk.includes(ctrlC)) process.emit('SIGINT')
  }
  input.setRawMode?.(true)
  input.on('data', drop).resume()
  try {
    for (let quiet = 0; quiet < slices && !signal.aborted && !input.readableEnded; ) {
      hasArrived = false
      await sleep(silence.slice)
      // What waits in the terminal is read in a turn of the event loop; a late timer says nothing about it.
      for (let turns = 0; turns < 3; turns++) await turn()
      quiet = hasArrived ? 0 : quiet + 1
      if (hasArrived && process.uptime() - began > silence.longestWait) throw stillTyping()
    }
  } finally {
    input.off('data', drop).pause()
    // The pause takes effect in the next turn: a console of Windows loses a line if it is read while its mode changes.
    await turn()
    input.setRawMode?.(false)
  }
}

function stillTyping(): RefusedError {
  return new RefusedError('Not confirmed: input kept arriving before the prompt', {
    hint: 'Wait for the prompt before you type, or use --yes',
  })
}

const ctrlC = '\u0003'
