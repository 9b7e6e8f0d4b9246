import { chmodSync, existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { expect, test } from 'vitest'
import { needsPosix } from '../posix.ts'
import { emptyHome, machine } from '../process/program.ts'
import { makeTemporaryFolder, removeTemporaryFolder } from '../temporary-folder.ts'

needsPosix('modes')

test('tests, and the programs that they start, write into the folder of this run', () => {
  expect(basename(tmpdir())).toMatch(/^analytics-tests-/)
  expect(machine.TMPDIR).toBe(tmpdir())
})

test('the folder is removed with all that a test made there, and other folders are kept', () => {
  const parent = emptyHome()
  const elsewhere = join(emptyHome(), 'elsewhere')
  writeFileSync(elsewhere, '')
  const folder = makeTemporaryFolder(parent)
  for (const [name, mode] of Object.entries({ closed: 0o000, locked: 0o500, unlisted: 0o300 })) {
    mkdirSync(join(folder, name, 'deeper'), { recursive: true })
    writeFileSync(join(folder, name, 'deeper/file'), '', { mode: 0o400 })
    symlinkSync(elsewhere, join(folder, name, 'link'))
    chmodSync(join(folder, name, 'deeper'), mode)
    chmodSync(join(folder, name), mode)
  }
  removeTemporaryFolder(folder)
  expect(readdirSync(parent)).toEqual([])
  expect(existsSync(elsewhere)).toBe(true)
})
