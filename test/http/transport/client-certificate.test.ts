/** Servers that want a certificate of the client, with real handshakes. */
import { generateKeyPairSync } from 'node:crypto'
import { chmodSync, writeFileSync } from 'node:fs'
import https from 'node:https'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { UnsentError } from '../../../src/errors.ts'
import { newWorld, type World } from '../../world.ts'
import { get, listening, selfSigned, text, transport } from '../loopback.ts'

const server = selfSigned('localhost')
const own = selfSigned('laptop.example.com')
const other = selfSigned('other.example.com')

/** A server that lets in nobody but the owner of `own`; `seen` has the names of those who came in. */
async function strict(maxVersion: 'TLSv1.2' | 'TLSv1.3' = 'TLSv1.3') {
  if (!server || !own) throw new Error('There is no openssl here to make a certificate with')
  const seen: unknown[] = []
  const wanting = { ...server, maxVersion, ca: [own.cert], requestCert: true, rejectUnauthorized: true }
  const listener = https.createServer(wanting, (request, response) => {
    seen.push((request.socket as import('node:tls').TLSSocket).getPeerCertificate().subject.CN)
    response.end('{"results":[],"next":null}')
  })
  const { port } = await listening(listener, 'https')
  return { url: `https://localhost:${port}/`, seen }
}

function filesIn({ folder }: World) {
  const write = (name: string, content = '') => writeFileSync(join(folder, name), content, { mode: 0o600 })
  write('ca.pem', server?.cert)
  write('cert.pem', own?.cert)
  write('key.pem', own?.key)
  write('other.pem', other?.key)
  write('both.pem', `${own?.key}${own?.cert}`)
  write('empty.pem')
  const secret = { type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'xyzzy' } as const
  const { privateKey } = generateKeyPairSync('ec', {
    namedCurve: 'P-256',
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: secret,
  })
  write('locked.pem', privateKey)
}

const environment = (url: string, cert?: string, key?: string) => ({
  ANALYTICS_BASE_URL: url,
  ANALYTICS_API_KEY: 'key-of-environment',
  ANALYTICS_CA_FILE: 'ca.pem',
  ...(cert ? { ANALYTICS_CLIENT_CERT: cert } : {}),
  ...(key ? { ANALYTICS_CLIENT_KEY: key } : {}),
})

test.each([
  ['cert.pem', 'key.pem'],
  ['both.pem', 'both.pem'],
])('a certificate of the environment lets its owner in: %s and %s', async (cert, key) => {
  const world = newWorld()
  filesIn(world)
  const { url, seen } = await strict()
  expect(await world.run(['projects', 'list', '-o', 'json'], { env: environment(url, cert, key) })).toMatchObject({
    code: 0,
    stdout: '[]\n',
  })
  expect(seen).toEqual(['laptop.example.com'])
})

test('a certificate of the profile goes with the key of the profile only', async () => {
  const world = newWorld()
  filesIn(world)
  const { url, seen } = await strict()
  const words = `--ca-file ca.pem --client-cert cert.pem --client-key key.pem --api-key-stdin`
  const add = await world.run(['profiles', 'add', 'p', '--base-url', url, ...words.split(' ')], { stdin: 'the-key-1' })
  expect(add.code).toBe(0)
  expect((await world.run(['projects', 'list'])).code).toBe(0)
  const { code, stderr } = await world.run(['projects', 'list'], { env: environment(url) })
  expect([code, seen]).toEqual([7, ['laptop.example.com']])
  expect(stderr).toContain('The client certificate of the profile p is not used')
})

test.each([
  'GET',
  'DELETE',
])('a server that wants a certificate is said to want one, and a %s was not done', async method => {
  const { url } = await strict()
  const world = newWorld()
  filesIn(world)
  const { send } = transport({ caFile: join(world.folder, 'ca.pem') })
  const request = method === 'GET' ? get(new URL(url)) : { ...get(new URL(url)), method, effect: 'act' as const }
  const failure = await send(request).then(text, error => error)
  expect(failure).toBeInstanceOf(UnsentError)
  expect(failure).toMatchObject({
    exit: 7,
    message: `${new URL(url).host} wants a client certificate`,
    facts: {
      retryable: false,
      hint: expect.stringMatching(/^Give the profile one with --client-cert and --client-key/),
    },
  })
})

test('TLS 1.2 says only that the handshake failed, so the certificate is named as a likely reason', async () => {
  const { url } = await strict('TLSv1.2')
  const world = newWorld()
  filesIn(world)
  await expect(transport({ caFile: join(world.folder, 'ca.pem') }).send(get(new URL(url)))).rejects.toMatchObject({
    message: `${new URL(url).host} ended the TLS handshake: it may want a client certificate, or another one`,
  })
})

test.each([
  ['cert.pem', undefined, 'There is a client certificate, and no client key beside it'],
  [undefined, 'key.pem', 'There is a client key, and no client certificate beside it'],
  ['cert.pem', 'locked.pem', 'locked.pem wants a passphrase'],
  ['cert.pem', 'empty.pem', 'empty.pem holds no private key in PEM form'],
  ['cert.pem', 'other.pem', 'other.pem does not belong to the certificate'],
  ['empty.pem', 'key.pem', 'empty.pem holds no certificate in PEM form'],
  ['nowhere.pem', 'key.pem', 'nowhere.pem cannot be read: there is no such file'],
  ['cert.pem', 'nowhere.pem', 'nowhere.pem cannot be read: there is no such file'],
])('the certificate %s with the key %s is refused before any request', async (cert, key, words) => {
  const world = newWorld()
  filesIn(world)
  const { url, seen } = await strict()
  const ran = await world.run(['projects', 'list'], { env: environment(url, cert, key) })
  expect([ran.code, ran.stderr, seen]).toEqual([2, expect.stringContaining(words), []])
  const options = [...(cert ? ['--client-cert', cert] : []), ...(key ? ['--client-key', key] : [])]
  const add = ['profiles', 'add', 'p', '--base-url', url, '--api-key-stdin', ...options]
  expect((await world.run(add, { stdin: 'the-key-1' })).code).toBe(2)
})

test('a client key that others can read is warned of', async () => {
  const world = newWorld()
  filesIn(world)
  chmodSync(join(world.folder, 'key.pem'), 0o644)
  const { url } = await strict()
  const { stderr } = await world.run(['projects', 'list'], { env: environment(url, 'cert.pem', 'key.pem') })
  expect(stderr).toContain('/key.pem can be read by other users of this machine. Run: chmod 600')
})

test('a proxy that wants a certificate gets none', async () => {
  const world = newWorld()
  filesIn(world)
  const { url, seen } = await strict()
  const env = { ...environment('https://analytics.example.com/', 'cert.pem', 'key.pem'), HTTPS_PROXY: url }
  const { code, stderr } = await world.run(['projects', 'list', '--retries', '0'], { env })
  expect([code, seen]).toEqual([7, []])
  expect(stderr).toContain(`The proxy ${new URL(url).host} wants a client certificate`)
})
