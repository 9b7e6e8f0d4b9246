import { expect, test } from 'vitest'
import { addressIn } from '../../../src/commands/api/path.ts'
import { UsageError } from '../../../src/errors.ts'
import * as fc from '../../fast-check.ts'

test.each(['a', 'ä', '%61', '...', '..a', 'a..', '{project}', '@current'])('%j is a segment', text =>
  expect(() => addressIn(`/api/${text}/`)).not.toThrow())

test.each([
  '.',
  '..',
  '..;',
  '..;a=b',
  '/',
  '../2',
  'a/b',
  'a\\b',
])('%j leads elsewhere, however it is encoded', text => {
  fc.assert(
    fc.property(fc.boolean(), fc.boolean(), fc.nat(5), (all, upper, times) => {
      const hidden = text.replace(all ? /[./\\;]/g : /[/\\]/g, one => {
        const code = `%${one.charCodeAt(0).toString(16)}`
        return upper ? code.toUpperCase() : code
      })
      const segment = hidden.replaceAll('%', `%${'25'.repeat(times)}`)
      expect(() => addressIn(`/api/${segment}/`)).toThrow(UsageError)
    }),
  )
})
