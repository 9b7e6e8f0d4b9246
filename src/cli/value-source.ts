/** Reads the value of an option: the text itself, `@file`, or `-` for stdin. */
import { resolve } from 'node:path'
import { UsageError } from '../errors.ts'
import { collectAtMost, readAtMost } from '../files/read.ts'
import { reasonOf } from '../files/system-error.ts'
import type { Host } from '../host.ts'
import { decode, isObject, type JsonObject } from '../json/exact.ts'

/** Larger than any body that the service accepts, so a larger file is a mistake. */
const largest = 64 * 1024 * 1024

/** Reads `{"a":1}`, `@body.json` or, where allowed, `-`. Throws `UsageError`. */
async function readText(host: Host, option: string, value: string, stdin = false): Promise<string> {
  if (value === '-' && stdin) return utf8(option, 'stdin', await readAll(host, option))
  if (!value.startsWith('@')) return value
  const path = resolve(host.cwd, value.slice(1))
  const bytes = await readAtMost(path, largest, host.interrupted).catch((cause: unknown) => {
    throw new UsageError(`${option}: ${path} cannot be read${reasonOf(cause)}`, {
      hint: 'Check the name after the @',
      cause,
    })
  })
  if (!bytes) throw new UsageError(`${option}: ${path} is larger than 64 MB`)
  return utf8(option, path, bytes)
}

/** Keeps numbers exact. The `UsageError` does not repeat the text, which may hold a secret. */
export async function readJson(host: Host, option: string, value: string, stdin = false): Promise<unknown> {
  const text = await readText(host, option, value, stdin)
  try {
    return decode(text)
  } catch (error) {
    const isRead = value.startsWith('@') || (stdin && value === '-')
    const doubleQuotes = 'In JSON, texts and the names of fields have double quotes around them'
    const file = `${option}${option.includes(' ') ? '=' : ' '}@file`
    throw new UsageError(`${option}: ${isRead ? 'what was read' : 'the value'} is not JSON`, {
      hint: isRead ? doubleQuotes : `${doubleQuotes}: quote it all for the shell, or put it in a file and give ${file}`,
      cause: error,
    })
  }
}

/** As `readJson`, for what must be an object. */
export async function readObject(host: Host, option: string, value: string): Promise<JsonObject> {
  const read = await readJson(host, option, value)
  if (isObject(read)) return read
  throw new UsageError(`${option} must be a JSON object`, { hint: `Write it like ${option} '{"plan":"pro"}'` })
}

async function readAll(host: Host, option: string): Promise<Buffer> {
  const bytes = await collectAtMost(host.stdin.read(), largest)
  if (bytes) return bytes
  throw new UsageError(`${option}: stdin holds more than 64 MB`)
}

function utf8(option: string, where: string, bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (error) {
    throw new UsageError(`${option}: ${where} is not UTF-8 text`, { hint: 'Save it as UTF-8', cause: error })
  }
}
