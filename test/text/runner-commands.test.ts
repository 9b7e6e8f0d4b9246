import { expect, test } from 'vitest'
import { escapeRunnerCommands } from '../../src/text/escape-controls.ts'
import * as fc from '../fast-check.ts'

test.each([
  ['::add-mask::x', '\\u003a:add-mask::x'],
  ['  ##[group]', '  \\u0023#[group]'],
  ['a\n\u00a0::x\nb', 'a\n\u00a0\\u003a:x\nb'],
  ['a::b ##[c]', 'a::b ##[c]'],
  [': # x', ': # x'],
])('%j becomes %j', (text, escaped) => {
  expect(escapeRunnerCommands(text)).toBe(escaped)
})

/** What a runner looks for at the beginning of each line, blanks aside. */
const command = /^\s*(?:::|##\[|##vso\[)/m

test('whatever the text, no line of it is a command', () => {
  const text = fc.string({ unit: fc.constantFrom(':', '#', '[', ' ', '\n', 'a', 'vso') })
  fc.assert(fc.property(text, one => !command.test(escapeRunnerCommands(one))))
})
