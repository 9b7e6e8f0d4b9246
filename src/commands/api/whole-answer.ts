/** `-i` prints status, headers and body, also of an error. */
import { type Received, wholeBody } from '../../api/client.ts'
import type { Context } from '../../context.ts'
import type { Effect, Response } from '../../http/message.ts'
import { type Result, read, write } from '../../result.ts'
import type { Secrets } from '../../secrets/secrets.ts'

export function wholeAnswer(
  { secrets }: Context,
  { response, failure }: Received,
  { effect }: { readonly effect: Effect },
): Result {
  if (failure) {
    return { kind: 'failed', data: { bytes: withHead(response, withoutSecrets(response, secrets)) }, failure }
  }
  const data = { bytes: withHead(response, response.body) }
  return effect === 'read' ? read(data) : write(data)
}

async function* withHead({ status, headers }: Response, body: Response['body']): AsyncGenerator<Uint8Array> {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\n`)
  yield Buffer.from(`${status}\n${lines.join('')}\n`)
  yield* body
}

/** A service or a proxy may repeat the key in its error. */
async function* withoutSecrets(response: Response, secrets: Secrets): AsyncGenerator<Uint8Array> {
  const body = await wholeBody(response)
  const text = body.toString()
  const hidden = secrets.hide(text)
  yield hidden === text ? body : Buffer.from(hidden)
}
