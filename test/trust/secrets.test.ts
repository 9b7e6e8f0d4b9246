/**
 * A service that repeats the key, in every spelling and in every part of a response. The key is never on stderr, in errors
 * in JSON, in `--debug`, in outcomes or in a job.
 */
import { readFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { describe, expect, test } from 'vitest'
import { filesIn } from '../files-in.ts'
import type { Asked } from '../server.ts'
import { startService } from '../service.ts'
import { holdsSecret, spellings } from '../spellings.ts'
import { newWorld } from '../world.ts'

const key = 'phx_n0/tReal+Key==AbC-9'

type Place = (response: ServerResponse, spelt: string, asked: Asked) => void

const say = (response: ServerResponse, status: number, body: unknown) =>
  void response
    .writeHead(status, { 'content-type': 'application/json' })
    .end(typeof body === 'string' ? body : JSON.stringify(body))
/** A header can hold only printable ASCII. */
const header = (text: string) => text.replace(/[^\x20-\x7e]/g, '')

const places: Readonly<Record<string, Place>> = {
  'the status text': (response, spelt) => void response.writeHead(400, header(spelt)).end('{}'),
  'a header': (response, spelt) => void response.writeHead(400, { 'x-request-id': header(spelt) }).end('{}'),
  'the address of a redirect': (response, spelt) =>
    void response.writeHead(302, { location: `https://${header(spelt)}.example.com/${header(spelt)}` }).end(),
  'the encoding': (response, spelt) => void response.writeHead(200, { 'content-encoding': header(spelt) }).end('{}'),
  'Retry-After': (response, spelt) => void response.writeHead(429, { 'retry-after': header(spelt) }).end('{}'),
  'a cookie': (response, spelt) =>
    void response
      .writeHead(401, { 'set-cookie': `k=${header(spelt)}` })
      .end(`{"detail":"${header(spelt).replace(/["\\]/g, '\\$&')}"}`),
  'the detail': (response, spelt) => say(response, 400, { detail: spelt }),
  'raw JSON': (response, spelt) => say(response, 400, `{"detail":"No ${spelt} here"}`),
  'a long detail, where it is cut': (response, spelt) => say(response, 400, { detail: 'x'.repeat(280) + spelt }),
  'the code': (response, spelt) => say(response, 400, { detail: 'No.', code: spelt }),
  'the type': (response, spelt) => say(response, 400, { detail: 'No.', type: spelt }),
  'the attr': (response, spelt) => say(response, 400, { detail: 'No.', attr: spelt }),
  'the message': (response, spelt) => say(response, 403, { message: spelt, detail: 'No.' }),
  'code and detail the other way round': (response, spelt) =>
    say(response, 400, { code: `No ${spelt}.`, detail: spelt }),
  'a fault of a field': (response, spelt) => say(response, 400, { [spelt]: [spelt] }),
  'a list of errors': (response, spelt) =>
    say(response, 400, { errors: [{ detail: spelt, code: spelt, attr: spelt }] }),
  'plain text': (response, spelt) => void response.writeHead(500, { 'content-type': 'text/plain' }).end(spelt),
  'a web page': (response, spelt) =>
    void response.writeHead(502, { 'content-type': 'text/html' }).end(`<p>${spelt}</p>`),
  'a 404': (response, spelt) => say(response, 404, { detail: spelt }),
  'an error that says 200': (response, spelt) => say(response, 200, { detail: spelt, code: spelt }),
  'plain text that says 200': (response, spelt) =>
    void response.writeHead(200, { 'content-type': 'text/plain' }).end(spelt),
  'the name of the object': (response, spelt, { method, path }) => {
    if (method !== 'GET') return say(response, 400, { detail: spelt })
    say(response, 200, { id: Number(path.split('/').at(-2)), name: spelt, distinct_ids: [spelt], properties: {} })
  },
}

/** Commands, each with other outputs. A job has the most: errors in JSON, outcomes, the trace, the journal, the receipt. */
const ways = [
  'persons delete 1 2 --yes --retries 0 --debug -o json --receipt receipt.json',
  'persons get 1 -o json',
  'api GET /api/projects/1/persons/1/',
  'projects update 1 --name x --debug',
  'persons delete 1 --yes -o ndjson',
].map(line => line.split(' '))

const names = Object.keys(places)

describe.each(names)('a key that the service puts into %s', name => {
  test('is never printed or kept, in any spelling', async () => {
    let spelt = ''
    const { world, env } = await startService((asked, response) => places[name]?.(response, spelt, asked))
    // Each place has other spellings for each command: all pairs take six times as long.
    for (const [i, argv] of ways.entries()) {
      const all = Object.entries(spellings)
      const [spelling = '', spell = String] = all[(names.indexOf(name) * ways.length + i) % all.length] ?? []
      spelt = spell(key)
      const { stdout, stderr, code } = await world.run(argv, { env: { ...env, ANALYTICS_API_KEY: key } })
      // On success, stdout has the data of the service as it came.
      const seen = code === 0 ? stderr : stdout + stderr
      expect([spelling, argv.join(' '), holdsSecret(seen, key), seen]).toEqual([spelling, argv.join(' '), false, seen])
    }
    for (const file of filesIn(world.folder)) {
      const kept = readFileSync(file, 'utf8')
      expect([file, holdsSecret(kept, key), kept]).toEqual([file, false, kept])
    }
  })
})

test.each([
  'persons delete 3 4',
  'persons update 3 4 --set plan=pro',
  'persons delete-property 3 --key plan',
  'projects delete 1',
  'projects update 1 --timezone Europe/Berlin',
])('a key in a record is hidden before the text is cut to the width: %s', async line => {
  const { world, env } = await startService(({ method, path }, response) => {
    const fields = { distinct_ids: [key, 'b'], properties: { email: `e${key}@x.io`, plan: `old ${key}` } }
    const id = Number(path.split('/').at(-2))
    if (method === 'GET') return say(response, 200, { id, name: `Some long name ${key}`, timezone: key, ...fields })
    say(response, 500, {})
  })
  for (let columns = 20; columns < 140; columns += 6) {
    const options = { env: { ...env, ANALYTICS_API_KEY: key }, columns, answers: ['no'] }
    const { stderr } = await world.run([...line.split(' '), '--dry-run'], options)
    const seen = Array.from(key, (_, i) => key.slice(i, i + 5)).filter(
      part => part.length === 5 && stderr.includes(part),
    )
    expect([stderr, seen]).toEqual([expect.stringContaining('Dry run'), []])
  }
})

test.each([
  ['projects update 1 --set-json slack_incoming_webhook=7000555577', ''],
  ['projects update 1 --body {"slack_incoming_webhook":7000555577}', ''],
  ['projects create --body {"slack_incoming_webhook":[7000555577]}', ''],
  ['projects diff -f -', 'slack_incoming_webhook: 7000555577\n'],
  ['projects diff -f -', 'slack_incoming_webhook: |7000555577\n'],
  ['projects diff -f -', 'slack_incoming_webhook: *7000555577\n'],
  ['projects diff -f -', 'slack_incoming_webhook: &7000555577\n'],
  ['projects diff -f -', 'api_token: 7000555577\n'],
])('%s with a secret of another type does not repeat it: %j', async (line, stdin) => {
  const { code, stdout, stderr } = await newWorld().run(line.split(' '), { env: { ANALYTICS_SANDBOX: '1' }, stdin })
  expect([code, (stdout + stderr).includes('7000555577')]).toEqual([expect.any(Number), false])
  expect([2, 5, 8]).toContain(code)
  expect(stderr).toMatch(/slack_incoming_webhook|api_token|stdin:1/)
})
