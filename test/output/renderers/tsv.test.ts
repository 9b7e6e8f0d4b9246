import { expect, test } from 'vitest'
import { RejectedError } from '../../../src/errors.ts'
import * as fc from '../../fast-check.ts'
import { printList, terminal } from '../print.ts'

const plain: Readonly<Record<string, string>> = { t: '\t', n: '\n', r: '\r', '\\': '\\' }

test('a row is a line, and each value comes back as it was', async () => {
  const rows = fc.array(fc.tuple(fc.string(), fc.string({ unit: fc.constantFrom(...'\t\n\r\\"\',a ntr') })), {
    minLength: 1,
  })
  await fc.assert(
    fc.asyncProperty(rows, async rows => {
      const tsv = await printList(
        'tsv',
        rows.map(([a, b]) => JSON.stringify({ a, 'b\t': b })),
      )
      const [head, ...lines] = tsv.split('\n').slice(0, -1)
      expect(head).toBe('a\tb\\t')
      const cells = lines.map(line =>
        line.split('\t').map(cell => cell.replace(/\\(.)/g, (_, one) => plain[one] ?? '?')),
      )
      expect(cells).toEqual(rows)
    }),
  )
})

test('null and missing are empty, lists and objects are JSON, numbers keep their digits', async () => {
  const items = ['{"a":null,"b":[1,"x"],"c":{"d":"\\n"},"e":9007199254740993}', '{"c":true}']
  expect(await printList('tsv', items)).toBe('a\tb\tc\te\n\t[1,"x"]\t{"d":"\\\\n"}\t9007199254740993\n\t\ttrue\t\n')
  expect(await printList('tsv', items, { look: { header: false, fields: ['e'] } })).toBe('9007199254740993\n\n')
})

test('no control character reaches a terminal', async () => {
  const look = { ...terminal, fields: ['a'] }
  expect(await printList('tsv', ['{"a":"\\u001b[1m\\t"}'], { look })).toBe('a\n\\u001b[1m\\t\n')
})

test('a row that CI would take for a command is refused there, since nothing can quote it', async () => {
  const items = ['{"a":"","b":"::stop-commands::x"}']
  await expect(printList('tsv', items, { look: { ci: true } })).rejects.toThrow(RejectedError)
  expect(await printList('tsv', items)).toBe('a\tb\n\t::stop-commands::x\n')
  expect(await printList('tsv', ['{"a":"x","b":"::y"}'], { look: { ci: true } })).toBe('a\tb\nx\t::y\n')
})
