import { expect, test } from 'vitest'
import { version } from '../../../package.json' with { type: 'json' }
import { manifestSchema, settingsSchema } from '../../../src/settings/schemas.ts'
import { newWorld } from '../../world.ts'

test('--schema begins the file with the address that the schema gives itself, and changes nothing else', async () => {
  const world = newWorld()
  const plain = await world.run(['--sandbox', 'projects', 'pull', '1'])
  const named = await world.run(['--sandbox', 'projects', 'pull', '1', '--schema'])
  const [first = '', ...rest] = named.stdout.split('\n')
  expect(rest.join('\n')).toBe(plain.stdout)
  const [, address = ''] = /^# yaml-language-server: \$schema=(\S+)$/.exec(first) ?? []
  const version = /@([^@/]+)\/dist/.exec(address)?.[1] ?? ''
  expect(settingsSchema(version)).toMatchObject({ $id: address })
})

test('each schema names the version that it came with', () => {
  for (const schema of [settingsSchema(version), manifestSchema(version)]) {
    expect(schema).toMatchObject({ $id: expect.stringContaining(`/cli@${version}/dist/`) })
  }
})

test.each([
  ['-o', 'json'],
  ['--query', 'name'],
  ['--fields', 'name'],
])('--schema is refused with %s', async (...words) => {
  const { code, stdout, stderr } = await newWorld().run(['--sandbox', 'projects', 'pull', '1', '--schema', ...words])
  expect([code, stdout]).toEqual([2, ''])
  expect(stderr).toContain('--schema writes a comment')
})
