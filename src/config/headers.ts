import { UsageError } from '../errors.ts'
import { type InputHost, readInputText } from '../files/read-input.ts'
import type { Request } from '../http/message.ts'

const what = 'The headers file'
const hint = 'Write a line such as CF-Access-Client-Id: 1a2b for each header; a line that starts with # is a comment'

/** Reads headers for an access proxy. Throws `UsageError` with file and line; messages repeat no value. */
export async function readHeadersFile(path: string, host: InputHost): Promise<Request['headers']> {
  const text = await readInputText(host, { file: path, where: `${what} ${path}`, maxBytes: 1024 * 1024 })
  const headers = new Map<string, readonly [name: string, value: string]>()
  for (const [at, line] of text.split(/\r?\n/).entries()) {
    if (/^[ \t]*(#|$)/.test(line)) continue
    const [, name = '', value = ''] = /^([^:]*):[ \t]*(.*?)[ \t]*$/s.exec(line) ?? []
    const problem = problemOf(name, value) ?? (headers.has(name.toLowerCase()) ? `${name} is given twice` : undefined)
    if (problem) throw new UsageError(`${path}, line ${at + 1}: ${problem}`, { hint })
    headers.set(name.toLowerCase(), [name, value])
  }
  if (headers.size === 0) throw new UsageError(`${what} ${path} has no header`, { hint })
  return Object.fromEntries(headers.values())
}

/** Set by this program or the connection, or able to change the method of a request. */
const reserved =
  /^(authorization|connection|expect|host|http2-settings|keep-alive|te|trailer|transfer-encoding|upgrade|user-agent)$|^(accept|content|proxy)(-|$)|method/i

function problemOf(name: string, value: string): string | undefined {
  if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name)) return 'it does not begin with the name of a header and a colon'
  if (reserved.test(name)) return `${name} is not for this file, because analytics or the connection sets it`
  if (value === '') return `${name} has no value`
  return /^[\x20-\x7e]+$/.test(value)
    ? undefined
    : `the value of ${name} has characters that are not allowed in a header`
}
