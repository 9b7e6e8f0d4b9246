/** One question at the terminal. Loaded only when something is asked. */
import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'

/** Asks on `output` and reads a line of `input`; undefined when it ends first. With `hidden` nothing typed is shown. */
export function ask(
  input: NodeJS.ReadStream,
  output: NodeJS.WriteStream,
  question: string,
  hidden: boolean,
): Promise<string | undefined> {
  output.write(question)
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input, output: hidden ? silent : output, terminal: true, prompt: '' })
  return new Promise(resolve => {
    let answer: string | undefined
    lines.once('line', line => {
      answer = line
      lines.close()
    })
    lines.once('SIGINT', () => process.kill(process.pid, 'SIGINT'))
    lines.once('close', () => {
      if (hidden || answer === undefined) output.write('\n')
      resolve(answer)
    })
  })
}
