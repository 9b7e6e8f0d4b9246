import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { fields } from '../../src/settings/fields.ts'
import { World } from '../world.ts'
import { otherValue } from './projects.ts'

test.for(['documented', 'observed'])('every writable field is changed through a file, %s', async dialect => {
  const world = new World()
  onTestFinished(() => world.remove())
  const run = (...argv: string[]) => world.run([...argv, '--sandbox', '--dialect', dialect])
  const before = JSON.parse((await run('projects', 'get', '1', '-o', 'json')).stdout) as Record<string, unknown>
  for (const [field, kind] of fields) {
    writeFileSync(join(world.folder, 'one.yaml'), `${field}: ${otherValue(kind, before[field])}\n`)
    const applied = await run('projects', 'apply', '1', '-f', 'one.yaml', '--yes', '-o', 'ids')
    expect([field, applied.stdout, applied.code]).toEqual([field, `${field}\n`, 0])
    expect((await run('projects', 'diff', '1', '-f', 'one.yaml')).code).toBe(0)
  }
  const pulled = await run('projects', 'pull', '1')
  expect(pulled.stdout).toContain('id: 9007199254740993\n        share: 1.0\n'.replaceAll('        ', '      '))
})
