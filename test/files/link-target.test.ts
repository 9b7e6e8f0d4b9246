import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { fileIdentity } from '../../src/files/file-identity.ts'
import { linkTarget } from '../../src/files/link-target.ts'

test('a link is followed from the folder where it stands, by whatever name that folder was given', () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'link-')))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  mkdirSync(join(folder, 'b/c'), { recursive: true })
  symlinkSync(join(folder, 'b/c'), join(folder, 'link'))
  symlinkSync('../x.json', join(folder, 'b/c/out'))
  const typed = join(folder, 'link/out')
  const meant = join(folder, 'b/x.json')
  const before = [linkTarget(typed), fileIdentity(typed)]
  expect(before).toEqual([meant, fileIdentity(meant)])
  writeFileSync(typed, '')
  expect(linkTarget(typed)).toBe(meant)
})
