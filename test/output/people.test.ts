/** The views of persons: groups of people, people with their appearances, and what other servers may answer. */
import { expect, test } from 'vitest'
import { peopleView } from '../../src/output/views.ts'
import { ada, grace, printList, terminal, text } from './print.ts'

const view = peopleView
const uuid = (item: string, id: string) => item.replace(/"id":\d+/, `"id":"${id}"`)
const one = uuid(ada, '0190a1b2-0000-7000-8000-000000000001')
const two = uuid(grace, '0190a1b2-0000-7000-8000-000000000002')

test('a group is a row for each of its people', async () => {
  const groups = [`{"people":[${one},${two}],"count":2}`, `{"people":[],"count":0}`]
  expect(await printList('table', groups, { view, look: terminal })).toBe(text`
    ID                                    Name          E-mail           Created
    0190a1b2-0000-7000-8000-000000000001  Ada Lovelace  ada@example.com  2026-11-21
    0190a1b2-0000-7000-8000-000000000002  Grace Hopper  -                2026-11-20
  `)
})

test('a person with appearances is a row that says who it is', async () => {
  const items = [`{"person":${one},"appearances":[1,0,1]}`, `{"person":${two},"appearances":[1,1,0],"more":true}`]
  expect(await printList('table', items, { view })).toBe(text`
    ID                                    Name          E-mail           Appearances  More
    0190a1b2-0000-7000-8000-000000000001  Ada Lovelace  ada@example.com  1, 0, 1      -
    0190a1b2-0000-7000-8000-000000000002  Grace Hopper  -                1, 1, 0      true
  `)
})

test('what has no people is shown as it came', async () => {
  expect(await printList('table', ['{"name":"pro","count":3}'], { view })).toBe('Name  Count\npro       3\n')
  expect(await printList('table', ['5', '"x"'], { view })).toBe('Value\n5\nx\n')
})

test('ids are those of the people', async () => {
  const items = [`{"people":[${one},${two}],"count":2}`, `{"person":${one},"appearances":[]}`, two]
  expect((await printList('ids', items, { view })).match(/\d(?=\n)/g)?.join('')).toBe('1212')
})

test('people hold control characters no better than others', async () => {
  const hostile = one.replace('Ada Lovelace', 'Ada\\u001b[2J')
  expect(await printList('table', [`{"people":[${hostile}],"count":"\\u001b[2J"}`], { view })).not.toContain('\u001b')
})
