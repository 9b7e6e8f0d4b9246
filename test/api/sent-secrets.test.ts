import { expect, test } from 'vitest'
import { withoutSecrets } from '../../src/api/sent-secrets.ts'
import { json } from '../server.ts'
import { startService } from '../service.ts'

const hook = 'https://hooks.example.com/T0/"quoted"?a=1&b=ü'
const body = JSON.stringify({ name: 'Shop', slack_incoming_webhook: hook })

test.each([
  hook,
  JSON.stringify(hook).slice(1, -1),
  JSON.stringify(hook).slice(1, -1).replaceAll('/', '\\/'),
  // As other languages write it.
  JSON.stringify(hook).slice(1, -1).replace('&', '\\u0026').replace('ü', '\\u00FC'),
])('a secret that was sent is taken out of what comes back: %s', spelt => {
  expect(withoutSecrets(`{"detail":"No ${spelt}, Shop"}`, body)).toBe('{"detail":"No …, Shop"}')
})

test('nothing else is', () => {
  const answer = '{"detail":"a bad name"}'
  for (const sent of [undefined, '', '[]', '{"slack_incoming_webhook":null}', '{"slack_incoming_webhook":"a"}']) {
    expect(withoutSecrets(answer, sent)).toBe(answer)
  }
})

test('a service that repeats a webhook does not bring it onto stderr, nor into outcomes or a job', async () => {
  const { world, env } = await startService(({ body }, response) => json(response, { detail: `Bad: ${body}` }, 400))
  const words = ['--slack-incoming-webhook', 'https://hooks.example.com/T0/secret', '--yes']
  const one = await world.run(['projects', 'update', '1', ...words], { env })
  expect(one).toMatchObject({ code: 5, stderr: expect.stringContaining('Bad: {"slack_incoming_webhook":"…"}') })
  const many = await world.run(['projects', 'update', '1', '2', ...words], { env })
  expect(many.code).toBe(8)
  expect(many.stdout + many.stderr).not.toContain('secret')
})
