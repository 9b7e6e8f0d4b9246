import { expect, test } from 'vitest'
import { rawEffectOf } from '../../src/api/effects.ts'
import { knownEndpointOf, persons, plugins } from '../../src/api/endpoints.ts'

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
  ['GET', `${person}split/`, undefined, 'read', false],
  ['PATCH', person, { properties: { deleted: true } }, 'set', false],
  ['PATCH', person, { deleted: true }, 'set', true],
  ['PATCH', person, { deleted: false }, 'set', false],
  ['POST', `${person}%73plit/`, {}, 'act', true],
  ['GET', '/api/elsewhere/', undefined, 'read', false],
  ['DELETE', '/api/elsewhere/', undefined, 'set', true],
  ['PUT', '/api/elsewhere/', {}, 'act', true],
  ['PATCH', '/api/elsewhere/', {}, 'act', true],
  ['POST', '/api/elsewhere/', {}, 'act', true],
  ['PUT', person, {}, 'act', true],
  ['PATCH', `${person}update_property/`, {}, 'act', true],
  ['PUT', '/api/projects/1/persons/funnel/', {}, 'act', true],
  ['DELETE', '/api/projects/1/persons/bulk_delete/', undefined, 'set', true],
  ['POST', '/api/projects/1/persons/bulk_delete/', {}, 'act', true],
  ['PATCH', '/api/projects/1/persons/bulk_delete/', {}, 'act', true],
  ['PATCH', '/api/projects/1/persons/7,8/', {}, 'act', true],
  ['PATCH', '/api/projects/1/persons/%E0/', {}, 'act', true],
  ['PATCH', '/api/projects/%40current/', {}, 'set', false],
  ['PATCH', '/api/projects/{project}/', {}, 'set', false],
] as const)('%s %s with %j is to %s; does it destroy: %s', (method, path, body, effect, destroys) => {
  expect(rawEffectOf(method, path, body)).toEqual({ effect, destroys })
})

test('a literal segment has precedence over an id, also percent-encoded', () => {
  expect(knownEndpointOf('GET', '/api/projects/1/persons/activity/')).toBe(persons.allActivity)
  expect(knownEndpointOf('GET', '/api/organizations/o/plugins/unused/')).toBe(plugins.unused)
  expect(knownEndpointOf('POST', `${person}%73pli%74/`)).toBe(persons.split)
  expect(knownEndpointOf('POST', `${person}split%zz/`)).toBeUndefined()
  expect(knownEndpointOf('GET', '/api/projects//persons/')).toBeUndefined()
})
