import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { shellWord } from '../../src/text/shell-words.ts'
import * as fc from '../fast-check.ts'
import { needsPosix } from '../posix.ts'

needsPosix('a shell')

test.each([
  ['settings.yaml', 'settings.yaml'],
  ['my settings.yaml', '"my settings.yaml"'],
  [String.raw`a\b.yaml`, String.raw`"a\b.yaml"`],
  [String.raw`a\\b`, String.raw`'a\\b'`],
  ['it costs $5', "'it costs $5'"],
  ['', '""'],
])('%s is typed as %s', (word, typed) => {
  expect(shellWord(word)).toBe(typed)
})

test('a shell reads any quoted word unchanged', () => {
  const character = fc.constantFrom(...String.raw`ab/\ "'$!&;|<>*?~#(){}[]=%ü`, '`', '\n')
  const word = fc.string({ unit: character, minLength: 1, maxLength: 12 })
  fc.assert(
    fc.property(fc.array(word, { minLength: 50, maxLength: 50 }), words => {
      const { stdout } = spawnSync('sh', ['-c', `printf '%s\\0' ${words.map(shellWord).join(' ')}`], {
        encoding: 'utf8',
      })
      expect(stdout.split('\0').slice(0, -1)).toEqual(words)
    }),
    { numRuns: 20 },
  )
})
