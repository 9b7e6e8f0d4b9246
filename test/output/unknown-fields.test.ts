import { expect, test } from 'vitest'
import type { Item } from '../../src/json/item.ts'
import { itemOf } from '../../src/json/read-item.ts'
import type { View } from '../../src/output/document.ts'
import { watchFields } from '../../src/output/unknown-fields.ts'
import { views } from '../../src/output/views.ts'

const ada = itemOf({ id: 1, name: 'Ada', properties: { email: 'ada@example.com' }, team: 'red' })
const bob = itemOf({ id: 2, name: 'Bob', properties: { email: 'bob@example.com', plan: 'pro' } })

/** What is said of the fields once the rows, in two batches, have been read. */
async function said(
  fields: readonly string[],
  rows: readonly Item[] = [ada, bob],
  view: View = views.person,
): Promise<readonly string[]> {
  const batches = [rows.slice(0, 1), rows.slice(1)]
  const { document, missing } = watchFields({ shape: 'list', batches, view }, fields)
  const seen: (readonly Item[])[] = []
  for await (const batch of document.batches) seen.push(batch)
  expect(seen).toEqual(batches)
  return missing()
}

test.each([
  ['nmae', 'name'],
  ['properties.emial', 'properties.email'],
  ['propertis', 'properties'],
  ['teams', 'team'],
  ['createdat', 'created_at'],
  ['email', 'properties.email'],
  ['emial', 'properties.email'],
  ['properties.team', 'team'],
])('%s is probably %s', async (typed, meant) => {
  expect(await said(['id', typed])).toEqual([`No row has a field ${typed}; did you mean ${meant}?`])
})

test.each(['properties.favourite_colour', 'name.first'])('%s looks like none that is there', async field => {
  expect(await said([field])).toEqual([`No row has a field ${field}`])
})

test('of a field that list items leave out, it is said where it is', async () => {
  const projects = [itemOf({ id: 1, name: 'Shop' })]
  expect(await said(['anonymize_ips', 'extra_settings.a'], projects, views.projectListItem)).toEqual([
    'A list leaves out anonymize_ips; get shows it',
    'A list leaves out extra_settings.a; get shows it',
  ])
})

test('a documented field that no row has is not suggested for itself', async () => {
  expect(await said(['id'], [itemOf({ team: 'red' })])).toEqual(['No row has a field id'])
})

test('nothing is said of a field that came in one row only', async () => {
  expect(await said(['properties.plan'])).toEqual([])
})

test('nothing is said of an empty list', async () => {
  expect(await said(['nmae'], [])).toEqual([])
})

test('of a long list the first thousand rows are looked at', async () => {
  const rows = Array.from({ length: 1500 }, () => ada)
  expect(await said(['nmae'], rows)).toEqual(['None of the first 1000 rows has a field nmae; did you mean name?'])
})
