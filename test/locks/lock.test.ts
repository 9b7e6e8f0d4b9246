/** One process at a time: a lock that was left behind is taken over, and never one that is held. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { UsageError } from '../../src/errors.ts'
import { leasePeriod, ownHolder } from '../../src/locks/holder.ts'
import { tryLock } from '../../src/locks/lock.ts'

/** Ids that no process has. */
const [ended, waiting, newer, last] = [2 ** 22 + 1, 2 ** 22 + 2, 2 ** 22 + 3, 2 ** 22 + 4]

const newPath = () => join(mkdtempSync(join(tmpdir(), 'analytics-lock-')), 'x.lock')
const as = (own: number, isRunning = (pid: number) => pid !== ended) => ({ own, isRunning })
const holderOf = (path: string) => JSON.parse(readFileSync(path, 'utf8')).pid

test('a lock that another process takes after the look at the old one is not taken away', () => {
  const path = newPath()
  const release = tryLock(path, as(ended))
  let third: unknown = 'not tried'
  const isRunning = (pid: number) => {
    if (pid === ended && holderOf(path) === ended) {
      release?.()
      expect(tryLock(path, as(newer))).toBeDefined()
    } else if (pid === newer) third = tryLock(path, as(last))
    return pid !== ended
  }
  expect(tryLock(path, as(waiting, isRunning))).toBeUndefined()
  expect([third, holderOf(path)]).toEqual([undefined, newer])
  expect(readdirSync(join(path, '..'))).toEqual(['x.lock'])
})

test('one that a process left which ended while it removed another is taken over too', () => {
  const path = newPath()
  for (const left of [path, `${path}.left`]) writeFileSync(left, JSON.stringify(ownHolder({ own: ended })))
  expect(tryLock(path, as(waiting))).toBeDefined()
  expect([holderOf(path), readdirSync(join(path, '..'))]).toEqual([waiting, ['x.lock']])
})

test('what a power cut left, or a link to nothing, is taken over', () => {
  const path = newPath()
  writeFileSync(path, '{"boot":"')
  // It may be one that another process is writing.
  expect(tryLock(path, as(waiting))).toBeUndefined()
  utimesSync(path, new Date(), new Date(Date.now() - leasePeriod - 1000))
  const release = tryLock(path, as(waiting))
  expect(holderOf(path)).toBe(waiting)
  release?.()
  symlinkSync('nowhere', path)
  expect(tryLock(path, as(waiting))).toBeDefined()
  expect(holderOf(path)).toBe(waiting)
})

test('a lock that was left behind holds nobody back, and only one takes it over', () => {
  const path = newPath()
  const all = { own: process.pid, isRunning: () => true }
  expect(tryLock(path, all)).toBeDefined()
  expect(tryLock(path, all)).toBeUndefined()
  const unlock = tryLock(path, { own: process.pid, isRunning: () => false })
  expect(tryLock(path, all)).toBeUndefined()
  unlock?.()
  // Another process has the same id by now.
  expect(tryLock(path, all)).toBeDefined()
  const holder = JSON.parse(readFileSync(path, 'utf8')) as object
  writeFileSync(path, JSON.stringify({ ...holder, began: '1' }))
  expect(tryLock(path, all)).toBeDefined()
  // Nobody here can tell whether another machine's process still runs: it has half a minute.
  writeFileSync(path, JSON.stringify({ ...holder, boot: 'elsewhere' }))
  expect(tryLock(path, { ...all, isRunning: () => false })).toBeUndefined()
  utimesSync(path, new Date(), new Date(Date.now() - leasePeriod - 1000))
  const other = tryLock(path, all)
  expect(readdirSync(join(path, '..'))).toEqual(['x.lock'])
  other?.()
  mkdirSync(path)
  expect(() => tryLock(path, all)).toThrow(UsageError)
})
