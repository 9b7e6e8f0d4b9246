/** The page about the receipt: each field that a receipt has is on it, and no other; so is each status and evidence. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { evidences, statuses } from '../../src/jobs/outcome.ts'
import type { Receipt } from '../../src/jobs/receipts/receipt.ts'
import { newWorld } from '../world.ts'

const page = readFileSync(join(import.meta.dirname, '../../docs/receipt.md'), 'utf8')
const cells = [...page.matchAll(/^\| (`.*?`) \| (.*) \|$/gm)]
const namesIn = (text = '') => [...text.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name)

/** `counts.deleted`, `outcomes[].error.name`: every name of a value that is no object. */
function pathsIn(value: unknown, path: string): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(one => (typeof one === 'object' ? pathsIn(one, `${path}[]`) : [path]))
  if (typeof value !== 'object' || value === null || path === 'path') return [path]
  return Object.entries(value).flatMap(([name, part]) => pathsIn(part, path === '' ? name : `${path}.${name}`))
}

test('every field of a receipt is explained, and nothing else', async () => {
  const world = newWorld()
  writeFileSync(join(world.folder, 'list'), 'ruth@example.com\nnobody@example.com\n')
  const run = async (...argv: string[]) => {
    await world.run([...argv, '--delete-events', '--receipt', 'r', '--yes'], { env: { ANALYTICS_SANDBOX: '1' } })
    return JSON.parse(readFileSync(join(world.folder, 'r'), 'utf8')) as Receipt
  }
  const good = await run('persons', 'delete', '--emails-from', 'list', '--backup', 'b')
  const failed = await run('persons', 'delete', '3', '999')
  const found = [good, failed].flatMap(receipt => pathsIn(receipt, '')).concat('outcomes[].error')
  const alone = ['backup', 'input']
  const fields = new Set(found.filter(path => !alone.includes(path)))
  expect(new Set(cells.flatMap(([, names]) => namesIn(names)))).toEqual(fields)
})

test('every status and evidence is explained', () => {
  const explained = (field: string) => namesIn(cells.find(([, names]) => namesIn(names).includes(field))?.[2])
  expect(explained('outcomes[].status')).toEqual(expect.arrayContaining([...statuses, 'left']))
  expect(explained('outcomes[].evidence')).toEqual(expect.arrayContaining([...evidences]))
})
