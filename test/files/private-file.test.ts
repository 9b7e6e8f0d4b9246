/** Files of mode 0600: what a link leads to is written, as for any other output. */
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { writePrivateFile } from '../../src/files/private-file.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'private-file-'))
  mkdirSync(at('there'))
})
afterEach(() => rmSync(folder, { recursive: true }))
const at = (...names: string[]) => join(folder, ...names)

test.each([true, false])('a symbolic link stays one, and its file is written, which is there: %s', isThere => {
  if (isThere) writeFileSync(at('there/r.json'), 'old', { mode: 0o644 })
  symlinkSync('there/r.json', at('link'))
  symlinkSync('link', at('again'))
  writePrivateFile(at('again'), '--receipt', 'new')
  expect([lstatSync(at('again')), lstatSync(at('link'))].map(one => one.isSymbolicLink())).toEqual([true, true])
  expect(readFileSync(at('there/r.json'), 'utf8')).toBe('new')
  expect(statSync(at('there/r.json')).mode & 0o777).toBe(0o600)
  expect(readdirSync(at('there'))).toEqual(['r.json'])
})

test.each([
  ['a link to itself', 'link', /--receipt: .*link cannot be written/],
  ['a link into a folder that is not there', 'nowhere/r.json', /--receipt: .*link cannot be written/],
  ['a link to a device', '/dev/null', /--receipt: .*link cannot be written/],
])('%s is refused and stays', (_, to, message) => {
  symlinkSync(to, at('link'))
  expect(() => writePrivateFile(at('link'), '--receipt', 'new')).toThrow(message)
  expect(lstatSync(at('link')).isSymbolicLink()).toBe(true)
})
