import { expect, test } from 'vitest'
import { destructionOf, endpointOf, rawEffectOf } from '../../src/api/effects.ts'
import { persons, plugins } from '../../src/api/endpoints.ts'

const person = '/api/projects/1/persons/7/'
const source = '/api/organizations/o/plugins/2/update_source/'

test.each([
  ['GET', person, undefined, 'read', undefined],
  ['POST', '/api/projects/1/persons/funnel/', {}, 'read', undefined],
  ['POST', '/api/projects/1/persons/funnel/correlation/', {}, 'read', undefined],
  ['POST', '/api/projects/1/persons/path/', {}, 'read', undefined],
  ['PATCH', person, {}, 'set', undefined],
  ['DELETE', person, undefined, 'set', 'object'],
  ['POST', `${person}update_property/`, {}, 'set', undefined],
  ['POST', `${person}delete_property/`, {}, 'set', 'data'],
  ['POST', `${person}split/`, {}, 'act', 'data'],
  ['POST', '/api/projects/', {}, 'act', undefined],
  ['POST', '/api/organizations/o/plugins/2/upgrade/', {}, 'act', undefined],
  ['PATCH', source, { 'index.ts': 'x' }, 'set', undefined],
  ['PATCH', source, { 'index.ts': null }, 'set', 'data'],
  ['GET', '/api/elsewhere/', undefined, 'read', undefined],
  ['PUT', '/api/elsewhere/', {}, 'act', undefined],
  ['PATCH', '/api/elsewhere/', {}, 'act', undefined],
  ['POST', '/api/elsewhere/', {}, 'act', 'unknown'],
  ['POST', `${person}delete_property/again/`, {}, 'act', 'unknown'],
  ['PUT', source, { 'index.ts': null }, 'act', 'unknown'],
  ['PUT', `${person}split/`, {}, 'act', 'unknown'],
  ['PATCH', `${person}delete_property/`, {}, 'act', 'unknown'],
  ['PATCH', source.replace('source/', 'source.json/'), { 'index.ts': null }, 'act', 'unknown'],
  ['PATCH', source.replace('source/', 'source%2ejson/'), {}, 'act', 'unknown'],
  ['PUT', '/api/elsewhere.json/', {}, 'act', undefined],
  ['DELETE', '/api/elsewhere/', undefined, 'set', 'object'],
] as const)('%s %s with %j is to %s and destroys %s', (method, path, body, effect, destruction) => {
  expect(destructionOf(method, path, body)).toBe(destruction)
  expect(rawEffectOf(method, path, body)).toEqual({
    effect,
    destroys: destruction !== undefined,
    isDocumented: endpointOf(method, path) !== undefined,
  })
})

test('a literal segment wins over an id, and counts as servers read it: percent-decoded', () => {
  expect(endpointOf('GET', '/api/projects/1/persons/activity/')).toBe(persons.allActivity)
  expect(endpointOf('GET', '/api/organizations/o/plugins/unused/')).toBe(plugins.unused)
  expect(endpointOf('POST', `${person}%73pli%74/`)).toBe(persons.split)
  expect(endpointOf('POST', `${person}split%zz/`)).toBeUndefined()
  expect(endpointOf('GET', '/api/projects//persons/')).toBeUndefined()
})
