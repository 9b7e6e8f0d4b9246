import { closeSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { writeAll } from '../../src/files/write-all.ts'
import { World } from '../world.ts'

test('text and bytes go where the file stands, or to a position, and nothing else is touched', () => {
  const world = new World()
  const path = join(world.folder, 'a')
  const file = openSync(path, 'w')
  writeAll(file, 'café ')
  writeAll(file, Buffer.from('123'))
  writeAll(file, '')
  writeAll(file, 'C', 0)
  closeSync(file)
  expect(readFileSync(path, 'utf8')).toBe('Café 123')
  world.remove()
})
