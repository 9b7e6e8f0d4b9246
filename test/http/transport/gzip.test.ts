import { once } from 'node:events'
import { constants, createGzip, gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { RejectedError, UnavailableError } from '../../../src/errors.ts'
import { get, serve, text, transport } from '../loopback.ts'

const row = '{"id":1,"name":"Ada"}'
const packed = gzipSync(row)
const damaged = Buffer.from(packed).fill(0, 12, 16)

/** A server that gives these bytes as gzip. */
const serving = (bytes: Buffer, status = 200, name = 'gzip') =>
  serve((_, response) => response.writeHead(status, { 'content-encoding': name }).end(bytes))

test.each(['gzip', 'GZIP', 'x-gzip'])('an answer that is encoded as %s is decoded', async name => {
  expect(await text(await transport().send(get(await serving(packed, 200, name))))).toBe(row)
})

test('a refusal is decoded too', async () => {
  const response = await transport().send(get(await serving(gzipSync('{"detail":"Not found."}'), 404)))
  expect([response.status, await text(response)]).toEqual([404, '{"detail":"Not found."}'])
})

test('several members of gzip, one after another, are one body', async () => {
  expect(await text(await transport().send(get(await serving(Buffer.concat([packed, packed])))))).toBe(row + row)
})

test('rows that have arrived can be read before the answer has ended', async () => {
  const zip = createGzip({ flush: constants.Z_SYNC_FLUSH })
  const base = await serve((_, response) => {
    response.writeHead(200, { 'content-encoding': 'gzip' })
    zip.pipe(response)
    zip.write('first')
  })
  const chunks = (await transport().send(get(base))).body[Symbol.asyncIterator]()
  expect(String((await chunks.next()).value)).toBe('first')
  zip.end('last')
  expect(String((await chunks.next()).value)).toBe('last')
})

test.each<[string, Buffer]>([
  ['cut', packed.subarray(0, -9)],
  ['cut within its last bytes', packed.subarray(0, -1)],
  ['damaged', damaged],
  ['no gzip at all', Buffer.from(row)],
])('a body that is %s was cut off on its way', async (_, bytes) => {
  const { send } = transport()
  const failure = await send(get(await serving(bytes)))
    .then(text)
    .catch(error => error)
  expect(failure).toBeInstanceOf(UnavailableError)
  expect(failure).toMatchObject({ message: expect.stringContaining('cut off'), facts: { retryable: true } })
})

const member = Buffer.alloc(64 * 1024 * 1024)
const packedMember = gzipSync(member)

/** So many bytes as gzip, in members of 64 MB: the same ones again need not be compressed again. */
const packedLong = (bytes: number) =>
  Buffer.concat([
    ...Array<Buffer>(Math.floor(bytes / member.length)).fill(packedMember),
    gzipSync(Buffer.alloc(bytes % member.length)),
  ])

test.each([
  { what: 'an answer', size: 64, isPage: false },
  { what: 'a page of a list', size: 512, isPage: true },
])('$what is decoded up to $size MB, and refused beyond', async ({ size, isPage }) => {
  const { send } = transport()
  const length = async (bytes: number) => {
    let all = 0
    for await (const chunk of (await send({ ...get(await serving(packedLong(bytes))), isPage })).body)
      all += chunk.length
    return all
  }
  const most = size * 1024 * 1024
  expect(await length(most)).toBe(most)
  const refused = length(most + 1)
  await expect(refused).rejects.toBeInstanceOf(RejectedError)
  await expect(refused).rejects.toThrow(`more than ${size} MB`)
})

test.each([0, 1])('a body that is left after %d chunks closes its connection', async read => {
  let closed: Promise<unknown> | undefined
  const base = await serve((_, response) => {
    closed = once(response, 'close')
    response.writeHead(200, { 'content-encoding': 'gzip' }).write(gzipSync(row.repeat(100_000)).subarray(0, -8))
  })
  const chunks = (await transport().send(get(base))).body[Symbol.asyncIterator]()
  for (let i = 0; i < read; i++) await chunks.next()
  await chunks.return?.()
  await closed
})
