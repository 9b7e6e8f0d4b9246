import { expect, test } from 'vitest'
import { needsPosix } from '../posix.ts'
import { atTerminal, hasTerminal } from './terminal.ts'

needsPosix('a shell')

test.skipIf(!hasTerminal)('in CI nobody is asked, even at a terminal', async () => {
  const { screen, code } = await atTerminal(['--sandbox', 'persons', 'delete', '3'], { CI: 'true' }, [])
  expect(screen).toContain('needs confirmation, but CI is set')
  expect(code).toBe(10)
})

test.skipIf(!hasTerminal)('CI=false is none', async () => {
  const { screen, code } = await atTerminal(['--sandbox', 'persons', 'delete', '3'], { CI: 'false' }, [
    ['[y/N]', 'n\r'],
  ])
  expect(screen).toContain('[y/N]')
  expect(code).toBe(10)
})
