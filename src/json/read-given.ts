/** Reads the value of an option: the text itself, `@file`, or `-` for stdin. */
import { UsageError } from '../errors.ts'
import { readInputText } from '../files/read-input.ts'
import { absolutePath, type Host } from '../host.ts'
import { decodeGiven, type Json } from './exact.ts'
import { Malformed } from './tokens.ts'

/** Larger than any body that the service accepts. */
const most = 64 * 1024 * 1024

/** Keeps numbers exact. `stdin`: whether `-` reads it. The `UsageError` does not repeat the text, which may hold a secret. */
export async function readJson(host: Host, option: string, value: string, stdin = false): Promise<Json> {
  const isStdin = value === '-' && stdin
  const isRead = isStdin || value.startsWith('@')
  const file = isStdin ? '-' : absolutePath(host, value.slice(1))
  const where = `${option}: ${isStdin ? 'stdin' : file}`
  const hint = isStdin ? 'Send less' : 'Check the name after the @'
  const text = isRead ? await readInputText(host, { file, where, most, hint }) : value
  try {
    return decodeGiven(text, `${option}: `)
  } catch (error) {
    if (!(error instanceof Malformed)) throw error
    const [word] = /^(true|false|null)$/i.exec(text.trim()) ?? []
    const doubleQuotes = 'In JSON, put double quotes around texts and names of fields'
    const fileOption = `${option}${option.includes(' ') ? '=' : ' '}@file`
    throw new UsageError(`${option}: ${isRead ? 'the input' : 'the value'} is not JSON`, {
      hint: word
        ? `Write it in lower case: ${word.toLowerCase()}`
        : isRead
          ? doubleQuotes
          : `${doubleQuotes}: quote it all for the shell, or put it in a file and give ${fileOption}`,
      cause: error,
    })
  }
}
