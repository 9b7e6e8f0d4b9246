/** Files of mode 0600, which replace a link. */
import { lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { writePrivateFile } from '../../src/files/regular-file.ts'
import { needsPosix } from '../posix.ts'

needsPosix('modes and links')

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'private-file-'))
  mkdirSync(at('there'))
})
const at = (...names: string[]) => join(folder, ...names)

test.each([true, false])('a symbolic link is replaced and its target is kept; the target exists: %s', isThere => {
  if (isThere) writeFileSync(at('there/r.json'), 'old', { mode: 0o644 })
  symlinkSync('there/r.json', at('link'))
  writePrivateFile(at('link'), '--receipt', 'new')
  expect([lstatSync(at('link')).mode & 0o777, readFileSync(at('link'), 'utf8')]).toEqual([0o600, 'new'])
  expect(readdirSync(at('there'))).toEqual(isThere ? ['r.json'] : [])
  expect(readdirSync(folder).sort()).toEqual(['link', 'there'])
})

test.each([
  ['a link to itself', 'link', /--receipt: .*link cannot be written/],
  ['a link to a device', '/dev/null', /--receipt: .*link cannot be written/],
])('%s is refused and kept', (_, to, message) => {
  symlinkSync(to, at('link'))
  expect(() => writePrivateFile(at('link'), '--receipt', 'new')).toThrow(message)
  expect(lstatSync(at('link')).isSymbolicLink()).toBe(true)
})
