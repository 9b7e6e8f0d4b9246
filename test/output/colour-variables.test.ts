/** Variables that turn colour on and off, as other tools read them. */
import { expect, test } from 'vitest'
import { newWorld } from '../world.ts'

test.each<[Readonly<Record<string, string>>, atTerminal: boolean, inPipe: boolean]>([
  [{}, true, false],
  [{ FORCE_COLOR: '1' }, true, true],
  [{ FORCE_COLOR: 'true' }, true, true],
  [{ FORCE_COLOR: '3' }, true, true],
  [{ FORCE_COLOR: '0' }, false, false],
  [{ FORCE_COLOR: 'false' }, false, false],
  [{ FORCE_COLOR: '' }, true, false],
  [{ CLICOLOR: '0' }, false, false],
  [{ CLICOLOR: '1' }, true, false],
  [{ CLICOLOR_FORCE: '1' }, true, true],
  [{ CLICOLOR_FORCE: '0' }, true, false],
  [{ CLICOLOR_FORCE: '1', CLICOLOR: '0' }, true, true],
  [{ FORCE_COLOR: '0', CLICOLOR_FORCE: '1' }, false, false],
  [{ CLICOLOR_FORCE: '1', TERM: 'dumb' }, true, true],
  [{ NO_COLOR: '1', FORCE_COLOR: '1', CLICOLOR_FORCE: '1' }, false, false],
  [{ NO_COLOR: '0', FORCE_COLOR: '1' }, false, false],
  [{ NO_COLOR: '', FORCE_COLOR: '1' }, true, true],
])('with %o there is colour at a terminal: %s, in a pipe: %s', async (env, atTerminal, inPipe) => {
  const world = newWorld()
  const isColoured = async (columns: number | undefined) =>
    (await world.run(['persons', '--help'], { env, ...(columns ? { columns } : {}) })).stdout.includes('\u001b[')
  expect([await isColoured(80), await isColoured(undefined)]).toEqual([atTerminal, inPipe])
})
