import { expect, test } from 'vitest'
import { endpointOf, mostDeleted, rawEffectOf, removalBy } from '../../src/api/effects.ts'
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
  ['GET', `${person}split/`, undefined, 'read', false],
  ['GET', '/api/elsewhere/', undefined, 'read', false],
  ['PUT', '/api/elsewhere/', {}, 'act', false],
  ['PATCH', '/api/elsewhere/', {}, 'act', false],
  ['POST', '/api/elsewhere/', {}, 'act', true],
  ['POST', `${person}delete_property/again/`, {}, 'act', true],
  ['PUT', person, {}, 'act', false],
  ['PATCH', `${person}update_property/`, {}, 'act', false],
  ['PUT', source, { 'index.ts': null }, 'act', true],
  ['PUT', source, { 'index.ts': 'x' }, 'act', false],
  ['PUT', `${person}split/`, {}, 'act', true],
  ['PATCH', `${person}delete_property/`, {}, 'act', true],
  ['PATCH', source.replace('source/', 'source.json/'), { 'index.ts': null }, 'act', true],
  ['PATCH', source.replace('source/', 'source%2ejson/'), { 'index.ts': null }, 'act', true],
  ['PATCH', source.replace('source/', 'source;x/'), { 'index.ts': null }, 'act', true],
  ['PATCH', source.replace('source/', 'source%253Bx/'), { 'index.ts': null }, 'act', true],
  ['PATCH', '/api/projects/1/cohorts/5/', { deleted: true }, 'act', true],
  ['PATCH', '/api/projects/1/cohorts/5/', { deleted: 'yes' }, 'act', true],
  ['PATCH', '/api/projects/1/cohorts/5/', { deleted: false }, 'act', false],
  ['PATCH', person, { properties: { deleted: true } }, 'set', false],
  ['PUT', '/api/elsewhere.json/', {}, 'act', false],
  ['DELETE', '/api/elsewhere/', undefined, 'set', true],
  ['PUT', '/api/projects/1/persons/bulk_delete/', {}, 'act', true],
  ['PATCH', '/api/projects/1/persons/bulk_delete/', {}, 'set', true],
  ['PUT', `${person}%2573plit/`, {}, 'act', true],
] as const)('%s %s with %j is to %s; does it destroy: %s', (method, path, body, effect, destroys) => {
  expect(rawEffectOf(method, path, body)).toEqual({
    effect,
    destroys,
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

test.each([
  ['GET', `${person}split/`, undefined],
  ['DELETE', person, 'objects'],
  ['DELETE', '/api/elsewhere/', 'objects'],
  ['POST', `${person}delete_property/`, 'property'],
  ['PATCH', `${person}delete_property.json/`, 'property'],
  ['POST', '/api/environments/1/persons/7/delete_property/', 'property'],
  ['PUT', `${person}%73plit/`, 'distinct ids'],
  ['POST', '/api/projects/1/persons/bulk_delete/', 'objects'],
  ['POST', '/api/projects/1/persons/bulk_delete.json', 'objects'],
  ['POST', '/api/projects/1/persons/delete-all/', 'objects'],
  ['PUT', '/api/projects/1/purge/', 'objects'],
  ['POST', `${person}%2573plit/`, 'distinct ids'],
  ['POST', `${person}split;x/`, 'distinct ids'],
  ['POST', `${person}delete_property%3Bx.json/`, 'property'],
  ['POST', '/api/projects/1/persons/bulkDelete/', 'objects'],
  ['PUT', '/api/projects/1/persons/bulk-deletion/', 'objects'],
  ['PATCH', '/api/projects/1/persons/deletes/', 'objects'],
  ['POST', '/api/projects/', undefined],
  ['PATCH', person, undefined],
] as const)('%s %s takes away: %s', (method, path, removal) => {
  expect(removalBy(method, path, undefined)).toBe(removal)
})

const any = Number.POSITIVE_INFINITY

test.each([
  ['DELETE', person, undefined, undefined, 1],
  ['DELETE', person, { delete_events: true }, undefined, 1],
  ['DELETE', '/api/projects/1/persons/', undefined, 3, any],
  ['DELETE', '/api/projects/1/persons/bulk_delete/', { ids: [1, 2] }, 3, any],
  ['DELETE', '/api/projects/1/cohorts/5/', undefined, undefined, 1],
  ['DELETE', '/api/projects/{project}/', undefined, undefined, 1],
  ['DELETE', '/api/projects/%40current/', undefined, undefined, 1],
  ['DELETE', '/api/projects/1/persons/7,8,9/', undefined, undefined, any],
  ['DELETE', '/api/projects/1/persons/bulk_delete2/', undefined, undefined, any],
  ['DELETE', '/api/projects/1/cohorts/5/', { ids: [1, 2] }, undefined, any],
  ['PATCH', '/api/projects/1/cohorts/5/', { deleted: true }, undefined, 1],
  ['PATCH', '/api/projects/1/cohorts/', { deleted: true }, 3, any],
  ['PATCH', '/api/projects/1/cohorts/5/', {}, undefined, undefined],
  ['PUT', '/api/projects/1/persons/bulk_delete/', {}, 3, any],
  ['POST', '/api/projects/1/persons/bulk_delete/', undefined, undefined, any],
  ['POST', '/api/projects/1/persons/bulk_delete/', undefined, 0, any],
  ['POST', '/api/projects/1/persons/bulk_delete/', undefined, 3, 3],
  ['POST', '/api/projects/1/batch/', undefined, undefined, any],
  ['POST', '/api/projects/1/batch/', undefined, 0, undefined],
  ['POST', '/api/projects/1/batch/', undefined, 3, 3],
  ['POST', '/api/projects/', {}, undefined, undefined],
  ['POST', '/api/projects/1/persons/funnel/', {}, undefined, undefined],
  ['POST', `${person}split/`, {}, undefined, undefined],
  ['POST', `${person}delete_property/`, {}, undefined, 0],
  ['GET', person, undefined, undefined, undefined],
] as const)('%s %s with %j and --max %s may delete %s', (method, path, body, max, count) => {
  expect(mostDeleted({ method, path, body }, max)).toBe(count)
})
