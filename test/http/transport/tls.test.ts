import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import net from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { allAuthorities } from '../../../src/http/transport/authorities.ts'
import { newWorld } from '../../world.ts'
import { expired, get, listening, selfSigned, serve, serveTls, text, transport } from '../loopback.ts'

const certificate = selfSigned('localhost')
const other = selfSigned('other.example.com')
const old = expired('localhost')

const folder = mkdtempSync(join(tmpdir(), 'analytics-ca-'))
afterAll(() => rmSync(folder, { recursive: true }))

function fileOf(content: string | Buffer): string {
  const path = join(folder, `${Math.random()}.pem`)
  writeFileSync(path, content)
  return path
}

/** Asks a server that has this certificate, trusting this file. */
async function ask(own: typeof certificate, caFile?: string, env = {}) {
  if (!own) throw new Error('There is no openssl here to make a certificate with')
  const base = await serveTls(own, (_, response) => {
    response.writeContinue()
    response.end('{}')
  })
  const { send } = transport({ caFile, env })
  return { send: () => send(get(new URL(`https://localhost:${base.port}`))), host: `localhost:${base.port}` }
}

test('a certificate that nobody vouches for is refused for good', async () => {
  const { send, host } = await ask(certificate)
  await expect(send()).rejects.toMatchObject({
    exit: 7,
    message: `The certificate of ${host} is not trusted (DEPTH_ZERO_SELF_SIGNED_CERT)`,
    facts: { retryable: false, hint: expect.stringMatching(/--ca-file.*ANALYTICS_CA_FILE.*NODE_EXTRA_CA_CERTS/) },
  })
})

test('the right file lets the service in, again and again', async () => {
  const { send } = await ask(certificate, fileOf(certificate?.cert ?? ''))
  for (let i = 0; i < 3; i++) expect(await text(await send())).toBe('{}')
})

test('one file may hold several authorities, and text between them', async () => {
  const { send } = await ask(certificate, fileOf(`# ours\n${other?.cert}\n# theirs\n${certificate?.cert}`))
  expect(await text(await send())).toBe('{}')
})

test('NODE_EXTRA_CA_CERTS counts beside a file of authorities', async () => {
  const env = { NODE_EXTRA_CA_CERTS: fileOf(certificate?.cert ?? '') }
  expect(allAuthorities([], env).length).toBeGreaterThan(100)
  // Node itself reads the variable at its start only, and from then on offers what it read.
  if ('getCACertificates' in (await import('node:tls'))) return
  const { send } = await ask(certificate, fileOf(other?.cert ?? ''), env)
  expect(await text(await send())).toBe('{}')
})

test("another authority's file does not let it in", async () => {
  const { send, host } = await ask(certificate, fileOf(other?.cert ?? ''))
  await expect(send()).rejects.toMatchObject({
    exit: 7,
    message: `The certificate of ${host} is not trusted (DEPTH_ZERO_SELF_SIGNED_CERT)`,
  })
})

test('a certificate that has expired is refused, whoever vouches for it', async () => {
  const { send, host } = await ask(old, fileOf(old?.cert ?? ''))
  await expect(send()).rejects.toMatchObject({
    exit: 7,
    message: `The certificate of ${host} has expired`,
    facts: { code: 'CERT_HAS_EXPIRED', retryable: false, hint: expect.stringContaining('clock') },
  })
})

test('a certificate for another name is refused', async () => {
  const elsewhere = selfSigned('elsewhere.example.com')
  const { send, host } = await ask(elsewhere, fileOf(elsewhere?.cert ?? ''))
  await expect(send()).rejects.toMatchObject({
    exit: 7,
    message: `The certificate of ${host} is for another name`,
    facts: { code: 'ERR_TLS_CERT_ALTNAME_INVALID', retryable: false },
  })
})

test.each([
  ['is not there', () => join(folder, 'nowhere.pem'), 'cannot be read: there is no such file or folder'],
  ['is a folder', () => folder, 'cannot be read: that is a folder'],
  ['is empty', () => fileOf(''), 'holds no certificate in PEM form'],
  ['holds a key', () => fileOf(certificate?.key ?? ''), 'holds no certificate in PEM form'],
  ['holds bytes', () => fileOf(Buffer.from([0, 1, 2, 255])), 'holds no certificate in PEM form'],
  [
    'holds half a certificate',
    () => fileOf((certificate?.cert ?? '').replace(/(\n.{10}).*/, '$1')),
    'holds a certificate that is damaged',
  ],
])('a file of authorities that %s is said before anything is sent', async (_, file, says) => {
  const path = file()
  let connections = 0
  const server = net.createServer(() => connections++)
  const base = await listening(server, 'https')
  await expect(transport({ caFile: path }).send(get(base))).rejects.toMatchObject({
    exit: 2,
    message: `The file of certificate authorities ${path} ${says}`,
  })
  expect(connections).toBe(0)
})

test('a file of authorities is not looked for where nothing is encrypted', async () => {
  const base = await serve((_, response) => response.end('{}'))
  const { send } = transport({ caFile: join(folder, 'nowhere.pem') })
  expect(await text(await send(get(base)))).toBe('{}')
})

test('checking cannot be switched off', async () => {
  const env = { ANALYTICS_API_KEY: 'key', ANALYTICS_PROJECT: '1', NODE_TLS_REJECT_UNAUTHORIZED: '0' }
  const ran = (base: string) =>
    newWorld().run(['persons', 'list', '--retries', '0'], { env: { ...env, ANALYTICS_BASE_URL: base } })
  expect(await ran('https://a.example.com')).toMatchObject({ code: 2, stderr: expect.stringContaining('switches') })
  expect((await ran('http://127.0.0.1:9')).code).toBe(7)
})

test('a server without TLS is not asked twice for it', async () => {
  const base = await serve((_, response) => response.end('{}'))
  await expect(transport().send(get(new URL(`https://${base.host}`)))).rejects.toMatchObject({
    exit: 7,
    message: expect.stringContaining('does not speak TLS'),
    facts: { retryable: false },
  })
})
