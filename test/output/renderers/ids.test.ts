import { expect, test } from 'vitest'
import { undocumented, views } from '../../../src/output/views.ts'
import { newWorld } from '../../world.ts'
import { printList, printObject } from '../print.ts'

test('one id a line, numbers as they stood', async () => {
  expect(await printList('ids', ['{"id":9007199254740993,"name":"x"}', '{"name":"x","id":"0190a1b2"}'])).toBe(
    '9007199254740993\n0190a1b2\n',
  )
})

test('items that are plain values are their own ids', async () => {
  expect(await printList('ids', ['3', '"a b"'])).toBe('3\na b\n')
  expect(await printObject('ids', '[3,5]')).toBe('3\n5\n')
})

test('an empty list is nothing', async () => {
  expect(await printList('ids', [])).toBe('')
})

test('the view says which field it is', async () => {
  expect(await printObject('ids', '{"job":"j1","id":2}', { view: { ...undocumented, id: 'job' } })).toBe('j1\n')
})

test.each([
  ['no id', '{"name":"x"}', 'Item 2 of the answer has no id'],
  ['null', '{"id":null}', 'Item 2 of the answer has no id'],
  ['an object', '{"id":{"a":1}}', 'Item 2 of the answer has no id'],
  ['nothing', '{"id":""}', 'Item 2 of the answer has no id'],
  ['two lines', '{"id":"1\\n2"}', 'Item 2 of the answer has the id 1\\n2, which cannot be printed on one line'],
  ['a control', '{"id":"\\u001b[A"}', 'Item 2 of the answer has the id \\u001b[A, which cannot be printed on one line'],
  [
    'half a character',
    '{"id":"\\ud800"}',
    'Item 2 of the answer has the id \\ud800, which cannot be printed on one line',
  ],
])('an id that is %s is refused: a script would act on something else', async (_, item, message) => {
  const printed = printList('ids', ['{"id":1}', item])
  await expect(printed).rejects.toMatchObject({ exit: 5, message })
})

test.each(['--yes', '1 2', '../7', '$(id)', '@current'])('a person cannot have the id %s', async id => {
  const item = JSON.stringify({ id })
  await expect(printList('ids', [item], { view: views.person })).rejects.toThrow('is not the id of a person')
})

test('a write that is answered without a record prints the id that was given', async () => {
  const world = newWorld()
  for (const words of ['delete-property 3 --key plan', 'split 55 --main-distinct-id ada']) {
    const line = ['persons', ...words.split(' '), '--yes', '-o', 'ids']
    expect(await world.run(line, { env: { ANALYTICS_SANDBOX: 'observed' } })).toMatchObject({
      code: 0,
      stdout: `${words.split(' ')[1]}\n`,
    })
  }
})
