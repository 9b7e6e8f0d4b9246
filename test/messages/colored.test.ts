import { expect, test } from 'vitest'
import { colored } from '../../src/messages/messages.ts'

test.each<[Readonly<Record<string, string>>, noColor: boolean, atTerminal: boolean, inPipe: boolean]>([
  [{}, false, true, false],
  [{}, true, false, false],
  [{ TERM: 'dumb' }, false, false, false],
  [{ FORCE_COLOR: '1' }, false, true, true],
  [{ FORCE_COLOR: '1', TERM: 'dumb' }, false, true, true],
  [{ FORCE_COLOR: '1' }, true, false, false],
  [{ NO_COLOR: '1', FORCE_COLOR: '1' }, false, false, false],
  [{ FORCE_COLOR: '0' }, false, false, false],
  [{ FORCE_COLOR: '' }, false, true, false],
])('with %o and --no-color %s there is colour at a terminal: %s, in a pipe: %s', (env, noColor, ...seen) => {
  expect([true, false].map(terminal => colored(terminal, { noColor }, { env }))).toEqual(seen)
})
