/** Who answered: a refusal of a proxy or firewall says nothing of the key, the objects or the base URL. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { failureOf } from '../../../src/api/answers/failure.ts'
import { createSecrets } from '../../../src/secrets/secrets.ts'
import { json, personId } from '../../server.ts'
import { accepting, startService } from '../../service.ts'

const url = new URL('https://analytics.example.com/api/organizations/@current/plugins/')

function fault(status: number, headers: Record<string, string>, body = '') {
  return failureOf({ method: 'GET', url, effect: 'read' }, { status, headers }, body, createSecrets())
}

const html = { 'content-type': 'text/html' }
const text = { 'content-type': 'text/plain' }
const ofService = '{"type":"authentication_error","code":"not_allowed","detail":"No."}'

const page = 'a proxy or firewall answered with a web page'
const plain = 'a proxy or firewall answered with plain text: IP is not allowed'

describe('a proxy or firewall is said to have answered', () => {
  test.each<[number, Record<string, string>, string, string, number]>([
    [401, html, '<html>Log in</html>', page, 4],
    [403, html, '<html>Blocked</html>', page, 4],
    [403, {}, '\n<!DOCTYPE html><title>Blocked</title>', page, 4],
    [404, html, '<html>Not Found</html>', page, 5],
    [405, html, '<html>Not Allowed</html>', page, 5],
    [413, html, '<html>Too Large</html>', `The request is too large (413): ${page}`, 5],
    [414, html, '<html>Too Large</html>', `The address of the request is too long (414): ${page}`, 5],
    [401, text, 'IP is not allowed', plain, 4],
    [403, {}, 'IP is not allowed\n', plain, 4],
    [404, text, 'IP is not allowed', plain, 5],
    [405, text, 'IP is not allowed', plain, 5],
    [403, { 'cf-mitigated': 'challenge' }, ofService, 'answered with a challenge (cf-mitigated)', 4],
    [405, { 'x-amzn-waf-action': 'captcha' }, '', 'answered with a challenge (x-amzn-waf-action)', 5],
    [401, { 'www-authenticate': 'Basic realm="Staff"' }, '', 'answered with a log-in of its own', 4],
    [401, { 'www-authenticate': 'Negotiate' }, ofService, 'answered with a log-in of its own', 4],
  ])('%i %j %s', (status, headers, body, says, exit) => {
    const failure = fault(status, headers, body)
    expect(failure).toMatchObject({ exit, facts: { status, code: 'not-the-service', retryable: false } })
    expect(failure.message).toContain(says)
    expect(failure.facts.hint).toBe('Ask whoever runs analytics.example.com what stands in front of the service there')
    expect(`${failure.message} ${failure.facts.hint}`).not.toMatch(/\bkey\b|base URL|organization/i)
  })
})

test.each<[number, Record<string, string>, string, RegExp]>([
  [401, { 'www-authenticate': 'Bearer' }, ofService, /^Check the key: /],
  [403, {}, ofService, /^The key may not have the scope/],
  [401, {}, '', /^Check the key; a proxy or firewall may/],
  [403, {}, '{"message":"Forbidden"}', /^The key may not .*; a proxy or firewall may/],
])('the service may have refused: %i %j %s', (status, headers, body, hint) => {
  const failure = fault(status, headers, body)
  expect(failure).toMatchObject({ exit: 4, facts: { hint: expect.stringMatching(hint) } })
  expect(failure.facts.code).not.toBe('not-the-service')
})

test('a path that the service does not know is no missing organization', () => {
  const failure = fault(404, {}, '{"type":"invalid_request","code":"not_found","detail":"Endpoint not found."}')
  expect(failure).toMatchObject({ exit: 3, message: 'The service does not know this path (404)' })
  expect(failure.facts.hint).not.toMatch(/organization/i)
})

const ids = Array.from({ length: 500 }, (_, i) => String(i + 1)).join('\n')

test.each<[string, number, Record<string, string>, string, number]>([
  ['pages of a gateway', 405, html, '<html>Not Allowed</html>', 5],
  ['a method that the service does not offer', 405, {}, '{"detail":"Method \\"DELETE\\" not allowed."}', 5],
  ['pages of a firewall', 403, html, '<html>Blocked</html>', 4],
  ['paths that the service does not know', 404, {}, '{"detail":"Endpoint not found."}', 5],
  ['challenges that look like success', 202, { 'x-amzn-waf-action': 'challenge' }, '', 5],
])('a run stops at the first of 500 equal answers: %s', async (_, status, headers, body, exit) => {
  let deleted = 0
  const { run, world } = await startService((asked, response) => {
    if (asked.method !== 'DELETE') return accepting(asked, response)
    // After some that went well.
    if (personId(asked.path) <= 3) return void response.writeHead(204).end()
    deleted++
    response.writeHead(status, headers).end(body)
  })
  writeFileSync(join(world.folder, 'ids.txt'), ids)
  const { code, stdout } = await run('persons delete --from ids.txt --yes --concurrency 1 -o ndjson')
  expect([code, deleted]).toEqual([exit, 1])
  expect(stdout.match(/"deleted"/g)).toHaveLength(3)
})

test("an unknown person's cohorts do not blame the project", async () => {
  const { run } = await startService((_, response) => json(response, { code: 'not_found', detail: 'Not found.' }, 404))
  const { code, stderr } = await run('persons cohorts --param person_id=99')
  expect([code, stderr.split('\n')[0]]).toEqual([3, 'Person 99 of project 1 was not found.'])
  expect(stderr).not.toContain('ANALYTICS_PROJECT')
})

test('the token of a project is named, and not sent', async () => {
  const { run, server } = await startService()
  const { code, stderr } = await run('persons list', { env: { ANALYTICS_API_KEY: 'phc_0123456789abcdef' } })
  expect([code, server.asked.length]).toEqual([4, 0])
  expect(stderr).toContain('token of a project (phc_…)')
  expect(stderr).not.toContain('phc_0')
})
