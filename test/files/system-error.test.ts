import { statSync } from 'node:fs'
import { expect, test } from 'vitest'
import { codeOf, reasonOf } from '../../src/files/system-error.ts'

const failed = (code: unknown) => Object.assign(new Error('failed'), { code })

test('a system error is explained in words or by its code; other errors are not explained', () => {
  const missing = (() => {
    try {
      return statSync('/no/such/file')
    } catch (error) {
      return error
    }
  })()
  expect([codeOf(missing), reasonOf(missing)]).toEqual(['ENOENT', ': no such file or folder'])
  expect(reasonOf(failed('ENOSPC'))).toBe(': the disk is full')
  expect(reasonOf(failed('EIO'))).toBe(': EIO')
  for (const other of [new Error('x'), failed(7), 'EIO', undefined]) {
    expect([codeOf(other), reasonOf(other)]).toEqual([undefined, ''])
  }
})
