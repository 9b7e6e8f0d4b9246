/** The terminal echoes and edits visible lines; this file handles each key of hidden ones. */
import { StringDecoder } from 'node:string_decoder'
import { setImmediate } from 'node:timers/promises'
import { processFields } from './locks/boot.ts'

export interface Prompt {
  /** Returns a line without its line break, undefined at the end of input. Rejects with the signal's reason. */
  ask(question: string, hidden: boolean): Promise<string | undefined>
  /** Drops all typed text, including unfinished lines. */
  dropTyped(): Promise<void>
  /** After a hidden question, drops what was typed since, which the shell would read as a command. */
  close(): Promise<void>
}

const keys = { enter: /[\r\n]/, end: '\u0004', interrupt: '\u0003', back: /[\b\u007f]/, clear: '\u0015' }

export function createPrompt(input: NodeJS.ReadStream, output: NodeJS.WriteStream, signal: AbortSignal): Prompt {
  const decoder = new StringDecoder('utf8')
  let ahead = ''
  /** From the first hidden question on, nothing that is typed between questions shows: a secret may be pasted twice. */
  let isGuarded = false

  const prompt: Prompt = {
    async ask(question, hidden) {
      stopInBackground()
      input.off('data', keep)
      // Raw mode comes first, so that a fast answer is not shown.
      if (hidden || isGuarded) input.setRawMode?.(hidden)
      // It may be the secret once more, which a message would repeat.
      if (isGuarded && !hidden) ahead = ''
      isGuarded ||= hidden
      // After a stop and `fg`, the shell has overwritten the question and reset the terminal modes.
      const showAgain = () => {
        if (hidden) input.setRawMode?.(false).setRawMode(true)
        output.write(question)
      }
      process.on('SIGCONT', showAgain)
      output.write(question)
      try {
        const { line, rest } = await lineOf(hidden ? secretLine : shownLine)
        ahead = rest
        // The typed Enter ended a visible line; otherwise the cursor is still behind the question.
        if (hidden || line === undefined) output.write('\n')
        return line
      } catch (error) {
        output.write('\n')
        throw error
      } finally {
        process.off('SIGCONT', showAgain)
        guard()
      }
    },
    async dropTyped() {
      ahead = ''
      if (input.readableEnded) return
      stopInBackground()
      let came = true
      const drop = (chunk: Buffer) => {
        came = true
        if (chunk.includes(keys.interrupt)) process.emit('SIGINT')
      }
      // A terminal delivers an unfinished line only in raw mode.
      input.setRawMode?.(true)
      input.on('data', drop).resume()
      while (came) {
        came = false
        // The first input may arrive a few turns after raw mode is set.
        for (let turns = 0; turns < 3; turns++) await setImmediate()
      }
      input.off('data', drop).pause()
      input.setRawMode?.(false)
      guard()
    },
    async close() {
      if (!isGuarded) return
      isGuarded = false
      input.off('data', keep)
      await prompt.dropTyped()
    },
  }
  return prompt

  function guard(): void {
    if (!isGuarded || input.readableEnded) return
    input.setRawMode?.(true)
    input.on('data', keep).resume()
  }

  function keep(chunk: Buffer): void {
    const typed = decoder.write(chunk)
    if (typed.includes(keys.interrupt)) process.emit('SIGINT')
    ahead += typed
  }

  function lineOf(read: (typed: string) => Line | undefined): Promise<Line> {
    return new Promise((resolve, reject) => {
      let typed = ahead
      const settle = (end: () => void) => {
        input.off('data', take).off('end', over).pause()
        signal.removeEventListener('abort', abort)
        end()
      }
      const look = () => {
        const line = read(typed)
        if (line) settle(() => resolve(line))
      }
      const take = (chunk: Buffer) => {
        typed += decoder.write(chunk)
        look()
      }
      const over = () => settle(() => resolve({ line: undefined, rest: '' }))
      const abort = () => settle(() => reject(signal.reason))
      if (signal.aborted) return abort()
      signal.addEventListener('abort', abort)
      if (input.readableEnded) return over()
      input.on('data', take).on('end', over).resume()
      if (typed !== '') look()
    })
  }
}

/** Stops until `fg`: in the background, leaving raw mode would restore the shell's editing modes. */
function stopInBackground(): void {
  const [, , group, , , foreground] = processFields('self')
  if (Number(foreground) > 0 && group !== foreground) process.kill(0, 'SIGTTIN')
}

interface Line {
  readonly line: string | undefined
  readonly rest: string
}

function shownLine(typed: string): Line | undefined {
  const end = typed.indexOf('\n')
  return end < 0 ? undefined : { line: typed.slice(0, end).replace(/\r$/, ''), rest: typed.slice(end + 1) }
}

/** Undefined until the line is complete. Ctrl-C sends SIGINT. */
function secretLine(typed: string): Line | undefined {
  let line = ''
  for (let i = 0; i < typed.length; i++) {
    const key = typed[i] ?? ''
    if (keys.enter.test(key)) return { line, rest: typed.slice(i + 1).replace(/^\n/, '') }
    if (key === keys.end && line === '') return { line: undefined, rest: typed.slice(i + 1) }
    if (key === keys.interrupt) process.emit('SIGINT')
    else if (keys.back.test(key)) line = line.slice(0, -1)
    else line = key === keys.clear ? '' : line + key
  }
  return undefined
}
