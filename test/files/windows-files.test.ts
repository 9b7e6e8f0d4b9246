import { describe, expect, test } from 'vitest'
import { UsageError } from '../../src/errors.ts'
import { refuseDevice, retryWhileOpen } from '../../src/files/windows-files.ts'

test.each(['NUL', 'C:\\reports\\con', 'aux.csv', 'com1.tar.gz', '.\\LPT9', 'nul .txt'])('%s is a device', path => {
  expect(() => refuseDevice(path, true)).toThrow(UsageError)
  expect(() => refuseDevice(path, false)).not.toThrow()
})

test.each(['null', 'C:\\con\\a.csv', 'console.csv', 'com10', '.nul', 'a.con'])('%s is a file', path => {
  expect(() => refuseDevice(path, true)).not.toThrow()
})

describe('while a scanner has a file open', () => {
  const failing = (times: number, code: string) => {
    const act = () => {
      act.calls++
      if (act.calls <= times) throw Object.assign(new Error('Not renamed'), { code })
      return 'renamed'
    }
    act.calls = 0
    return act
  }

  test.each(['EACCES', 'EBUSY', 'EPERM'])('Windows answers %s, and the same is tried again', code => {
    expect(retryWhileOpen(failing(2, code), true)).toBe('renamed')
  })

  test('it is given up after a second', () => {
    const act = failing(Number.POSITIVE_INFINITY, 'EPERM')
    expect(() => retryWhileOpen(act, true)).toThrow('Not renamed')
    expect(act.calls).toBeGreaterThan(5)
  })

  test.each([
    ['for what waiting cannot mend', 'ENOENT', true],
    ['on another system', 'EPERM', false],
  ])('nothing waits %s', (_, code, applies) => {
    const act = failing(1, code)
    expect(() => retryWhileOpen(act, applies)).toThrow('Not renamed')
    expect(act.calls).toBe(1)
  })
})
