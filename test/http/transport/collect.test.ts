import { expect, test } from 'vitest'
import { get, serve, text, transport } from '../loopback.ts'

test('while much arrives garbage may be collected, and not for a small answer', async () => {
  const base = await serve(
    (request, response) => void response.end('x'.repeat(request.url === '/much/' ? 9_000_000 : 9)),
  )
  let calls = 0
  const { send } = transport({ collectGarbage: () => void calls++ })
  await text(await send(get(base, '/little/')))
  expect(calls).toBe(0)
  await text(await send(get(base, '/much/')))
  expect(calls).toBe(4)
})
