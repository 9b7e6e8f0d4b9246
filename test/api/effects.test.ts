import { expect, test } from 'vitest'
import { doingOf, rowOf } from '../../src/api/effects.ts'
import { persons, plugins } from '../../src/api/endpoints.ts'

const person = '/api/projects/1/persons/7/'
const source = '/api/organizations/o/plugins/2/update_source/'

test.each([
  ['GET', person, undefined, 'read', false],
  ['POST', '/api/projects/1/persons/funnel/', {}, 'read', false],
  ['POST', '/api/projects/1/persons/funnel/correlation/', {}, 'read', false],
  ['POST', '/api/projects/1/persons/path/', {}, 'read', false],
  ['PATCH', person, {}, 'set', false],
  ['DELETE', person, undefined, 'set', true],
  ['POST', `${person}update_property/`, {}, 'set', false],
  ['POST', `${person}delete_property/`, {}, 'set', true],
  ['POST', `${person}split/`, {}, 'act', true],
  ['POST', '/api/projects/', {}, 'act', false],
  ['POST', '/api/organizations/o/plugins/2/upgrade/', {}, 'act', false],
  ['PATCH', source, { 'index.ts': 'x' }, 'set', false],
  ['PATCH', source, { 'index.ts': null }, 'set', true],
  ['PUT', '/api/elsewhere/', {}, 'act', false],
  ['POST', '/api/elsewhere/', {}, 'act', false],
  ['DELETE', '/api/elsewhere/', undefined, 'set', true],
] as const)('%s %s with %j is to %s; takes data away: %s', (method, path, body, effect, destroys) => {
  expect(doingOf(method, path, body)).toEqual({ effect, destroys })
})

test('a literal segment wins over an id, and counts as servers read it: percent-decoded', () => {
  expect(rowOf('GET', '/api/projects/1/persons/activity/')).toBe(persons.allActivity)
  expect(rowOf('GET', '/api/organizations/o/plugins/unused/')).toBe(plugins.unused)
  expect(rowOf('POST', `${person}%73pli%74/`)).toBe(persons.split)
  expect(rowOf('POST', `${person}split%zz/`)).toBeUndefined()
  expect(rowOf('GET', '/api/projects//persons/')).toBeUndefined()
})
