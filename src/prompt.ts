/** Questions at a terminal. */
import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { setImmediate as turn } from 'node:timers/promises'
import type { Input } from './host.ts'

type Ask = Input['ask']

export function createPrompt(input: NodeJS.ReadStream, output: NodeJS.WriteStream, signal: AbortSignal): Ask {
  return async (question, hidden = false) => {
    await dropTyped(input)
    const answer = await readLine(input, output, { question, hidden, signal })
    // A secret may be pasted twice, and the shell would read the rest as a command.
    if (hidden) await dropTyped(input)
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

/** What was typed before the question stood there is no answer. A terminal delivers an unfinished line only in raw mode. */
async function dropTyped(input: NodeJS.ReadStream): Promise<void> {
  if (input.readableEnded) return
  let came = true
  const drop = (chunk: Buffer) => {
    came = true
    if (chunk.includes(ctrlC)) process.emit('SIGINT')
  }
  input.setRawMode?.(true)
  input.on('data', drop).resume()
  while (came) {
    came = false
    // The first input may arrive a few turns after raw mode is set.
    for (let turns = 0; turns < 3; turns++) await turn()
  }
  input.off('data', drop).pause()
  input.setRawMode?.(false)
}

const ctrlC = '\u0003'
