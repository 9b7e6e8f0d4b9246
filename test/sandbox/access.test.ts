import { expect, test } from 'vitest'
import { sandboxBase } from '../../src/values/url.ts'
import { visit } from './visit.ts'

test('a request without a key is told so', async () => {
  const { ask } = await visit()
  const { status, headers, json } = await ask('GET', '/api/projects/', undefined, {})
  expect(status).toBe(401)
  expect(headers['www-authenticate']).toBe('Bearer realm="api"')
  expect(json).toEqual({
    type: 'authentication_error',
    code: 'not_authenticated',
    detail: 'Authentication credentials were not provided.',
    attr: null,
  })
})

test('a wrong key is told from none', async () => {
  const { ask, sandbox } = await visit()
  for (const key of ['wrong', `${sandbox.key}x`, '']) {
    const { status, json } = await ask('GET', '/api/projects/', undefined, { Authorization: `Bearer ${key}` })
    expect([status, json.code]).toEqual([401, 'authentication_failed'])
  }
})

test.each([
  ['GET', '/api/projects', 404, 'not_found'],
  ['GET', '/api/nothing/', 404, 'not_found'],
  ['GET', '/', 404, 'not_found'],
  ['GET', '/api/projects/99/persons/', 404, 'not_found'],
  ['GET', '/api/projects/1/persons/999/', 404, 'not_found'],
  ['GET', '/api/projects/1/persons/999999999999999999999999/', 404, 'not_found'],
  ['GET', '/api/projects/1/persons/ada/', 404, 'not_found'],
  ['GET', '/api/projects/1/persons/%E0%A4%A/', 404, 'not_found'],
  ['GET', '/api/projects/2/persons/1/', 404, 'not_found'],
  ['PUT', '/api/projects/1/', 405, 'method_not_allowed'],
  ['POST', '/api/projects/1/persons/', 405, 'method_not_allowed'],
  ['GET', '/api/organizations/0190f3c2-0000-4000-8000-000000000000/plugins/', 403, 'permission_denied'],
])('%s %s answers %i', async (method, path, status, code) => {
  const { ask } = await visit()
  const answer = await ask(method, path)
  expect([answer.status, answer.json.code]).toEqual([status, code])
})

test('an id is a number or a UUID, and a project also @current', async () => {
  const { get } = await visit()
  const byNumber = await get('/api/projects/1/persons/55/')
  expect(await get(`/api/projects/1/persons/${byNumber.uuid.toUpperCase()}/`)).toEqual(byNumber)
  expect(await get('/api/projects/@current/persons/55/')).toEqual(byNumber)
  const project = await get('/api/projects/@current/')
  expect(project.id).toBe(1)
  expect(await get(`/api/projects/${project.uuid}/`)).toEqual(project)
})

test('a body must be JSON, an object, and said to be JSON', async () => {
  const { ask, sandbox } = await visit()
  const path = '/api/projects/1/persons/1/'
  expect((await ask('PATCH', path, '{"properties":')).json).toMatchObject({ code: 'parse_error' })
  expect((await ask('PATCH', path, '[1]')).json).toMatchObject({ code: 'invalid_input', attr: null })
  const headers = { authorization: `Bearer ${sandbox.key}`, 'Content-Type': 'text/plain' }
  const plain = sandbox.answer({
    method: 'PATCH',
    url: new URL(path, sandboxBase),
    headers,
    body: '{}',
  })
  expect(plain.status).toBe(415)
})
