/** Reads the value of an option: the text itself, `@file`, or `-` for stdin. */
import { UsageError } from '../errors.ts'
import { readInputText } from '../files/read-input.ts'
import { absolutePath, type Host } from '../host.ts'
import { decodeInput, type Json } from './exact.ts'

/** Larger than any body that the service accepts. */
const maxBytes = 64 * 1024 * 1024

/** Keeps numbers exact. `stdin`: whether `-` reads it. The `UsageError` does not repeat the text, which may hold a secret. */
export async function readJson(host: Host, option: string, value: string, stdin = false): Promise<Json> {
  const isStdin = value === '-' && stdin
  const isRead = isStdin || value.startsWith('@')
  const file = isStdin ? '-' : absolutePath(host, value.slice(1))
  const where = `${option}: ${isStdin ? 'stdin' : file}`
  const text = isRead ? await readInputText(host, { file, where, maxBytes }) : value
  const json = decodeInput(text, `${option}: `)
  if (json !== undefined) return json
  throw new UsageError(`${option}: ${isRead ? 'the input' : 'the value'} is not JSON`, {
    hint: 'Put double quotes around text and names, and write true, false and null in lower case. In a shell, quote the whole value, or put it in a file and give @file',
  })
}
