import { expect, test } from 'vitest'
import { newWorld } from '../world.ts'

test.each([
  ['win32 x64', '20.19.0', 2],
  ['win32 x64', '22.12.0', 2],
  ['win32 x64', '22.13.0', 0],
  ['win32 x64', '24.0.0', 0],
  ['linux x64', '20.19.0', 0],
])('on %s with Node %s it exits with %i', async (platform, node, code) => {
  const ran = await newWorld().run(['--sandbox', 'doctor'], { machine: { platform, node } })
  expect([ran.code, ran.stderr]).toEqual([code, expect.stringContaining(code === 0 ? 'OK' : 'Node.js 22.13 or later')])
})
