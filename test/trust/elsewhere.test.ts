/** The key is sent only to the service that it belongs to. */
import { expect, test } from 'vitest'
import { json, personRow, serve } from '../server.ts'
import { startService } from '../service.ts'

const another = () => serve((_, response) => json(response, { results: [personRow(666)], next: null }))
const one = ['persons', 'get', '1']

test.each([301, 302, 303, 307, 308])('the key does not follow a %i', async status => {
  const other = await another()
  for (const location of [
    other.url,
    other.url.replace('http:', ''),
    `${other.url.replace('127.0.0.1', 'localhost')}api/`,
  ]) {
    const { world, env } = await startService((_, response) => void response.writeHead(status, { location }).end())
    expect((await world.run(one, { env })).code).toBe(5)
    expect((await world.run(['persons', 'delete', '1', '--yes'], { env })).code).toBe(5)
    expect((await world.run(['api', 'GET', '/api/projects/'], { env })).code).toBe(5)
  }
  expect(other.asked).toEqual([])
})

test.each([
  ['another port', (url: string) => url],
  ['another host', (url: string) => url.replace('127.0.0.1', 'localhost')],
  ['another scheme', (url: string) => url.replace('http:', 'https:')],
  ['no scheme', (url: string) => url.replace('http:', '')],
  ['a user', (url: string) => url.replace('//', '//127.0.0.1:1@')],
  ['backslashes', (url: string) => url.replaceAll('/', '\\')],
])('the key does not follow a next link with %s', async (_, spelled) => {
  const other = await another()
  const next = spelled(other.url)
  const { world, env, server } = await startService(({ query }, response) =>
    json(response, { results: [personRow(1)], next: query.has('cursor') ? null : `${next}api/?cursor=2` }),
  )
  const { code } = await world.run(['persons', 'list', '--all', '-o', 'ids'], { env })
  expect([code, other.asked.length, server.asked.length]).toEqual([0, 0, 2])
  expect(new Set(server.asked.map(({ headers }) => headers.authorization))).toEqual(
    new Set(['Bearer key-of-environment']),
  )
})
