/** Prompts at a terminal. */
import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises'
import { RefusedError } from './errors.ts'

/** Throws the reason of the signal. `hidden` does not show the typed text. */
export async function ask(question: string, hidden: boolean, signal: AbortSignal): Promise<string | undefined> {
  await dropPendingInput(signal)
  const line = await readLine(question, hidden, signal)
  // A secret may be pasted twice, and the shell would read the rest as a command.
  if (hidden) await dropPendingInput(signal)
  return line
}

function readLine(question: string, hidden: boolean, signal: AbortSignal): Promise<string | undefined> {
  const { stdin: input, stderr } = process
  return new Promise((resolve, reject) => {
    const output = hidden ? new Writable({ write: (_, __, done) => done() }) : stderr
    const reader = createInterface({ input, output, terminal: true, historySize: 0 })
    const abort = () => reader.close()
    // After ^Z and `fg`, the shell has overwritten the question and reset the terminal modes.
    const redraw = () => {
      input.setRawMode?.(false).setRawMode(true)
      if (hidden) stderr.write(question)
      reader.prompt(true)
    }
    // readline handles this signal too.
    const onContinue = () => setImmediate(redraw)
    let line: string | undefined
    process.on('SIGCONT', onContinue)
    reader.on('SIGINT', () => process.emit('SIGINT'))
    reader.on('close', () => {
      signal.removeEventListener('abort', abort)
      process.off('SIGCONT', onContinue)
      if (hidden || line === undefined) stderr.write('\n')
      if (signal.aborted) reject(signal.reason)
      else resolve(line)
    })
    signal.addEventListener('abort', abort)
    if (hidden) stderr.write(question)
    reader.question(question, typed => {
      line = typed
      reader.close()
    })
    if (signal.aborted) abort()
  })
}

/** 100 ms without input before a prompt, or 400 ms after some. Counts slices, because a busy machine also delays the input. */
const silence = { sliceMs: 4, slices: 25, slicesAfterInput: 100, longestWaitSeconds: 2 }

/** Throws `RefusedError` if the input does not stop. A terminal delivers an unfinished line only in raw mode. */
async function dropPendingInput(signal: AbortSignal): Promise<void> {
  const { stdin: input } = process
  if (input.readableEnded) return
  const startedAt = process.uptime()
  let hasInput = false
  let { slices } = silence
  const drop = (chunk: Buffer) => {
    hasInput = true
    slices = silence.slicesAfterInput
    if (chunk.includes(ctrlC)) process.emit('SIGINT')
  }
  input.setRawMode?.(true)
  input.on('data', drop).resume()
  try {
    for (let quiet = 0; quiet < slices && !signal.aborted && !input.readableEnded; ) {
      hasInput = false
      await sleep(silence.sliceMs)
      // Node reads pending input in a turn of the event loop, which a late timer does not wait for.
      for (let turns = 0; turns < 3; turns++) await turn()
      quiet = hasInput ? 0 : quiet + 1
      if (hasInput && process.uptime() - startedAt > silence.longestWaitSeconds) throw stillTyping()
    }
  } finally {
    input.off('data', drop).pause()
    // The pause takes effect in the next turn. A Windows console loses a line if its mode changes during a read.
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
