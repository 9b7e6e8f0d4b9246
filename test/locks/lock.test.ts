/** One process at a time has a lock: an abandoned lock is replaced, a lock in use never. */
import fs, {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { InterruptedError, RefusedError } from '../../src/errors.ts'
import { holderOf, locked, tryLock } from '../../src/locks/lock.ts'
import { fakeClock } from '../clock.ts'
import { needsPosix } from '../posix.ts'

needsPosix('removal of an open file')

/** Ids that no process has. */
const [ended, waiting, newer, last] = [2 ** 22 + 1, 2 ** 22 + 2, 2 ** 22 + 3, 2 ** 22 + 4]

const newPath = () => join(mkdtempSync(join(tmpdir(), 'analytics-lock-')), 'x.lock')
const clock = fakeClock()
const as = (pid: number, isRunning = (one: number) => one !== ended) => ({ clock, processes: { pid, isRunning } })
const ownerOf = (path: string) => JSON.parse(readFileSync(path, 'utf8')).pid
const silence = (path: string, seconds: number) => utimesSync(path, new Date(), new Date(Date.now() - seconds * 1000))

test.each([1, 2])('a lock that another process takes during check %i of the old one is kept', look => {
  const path = newPath()
  const lock = tryLock(path, as(ended))
  let looks = 0
  const isRunning = (pid: number) => {
    if (pid === ended) looks += 1
    if (pid === ended && looks === look) {
      lock?.release()
      expect(tryLock(path, as(newer))).toBeDefined()
    }
    return pid !== ended
  }
  expect(tryLock(path, as(waiting, isRunning))).toBeUndefined()
  expect([looks, ownerOf(path)]).toEqual([look, newer])
  expect(readdirSync(join(path, '..'))).toEqual(['x.lock'])
})

test('a lock that disappears during the check does not count as abandoned', () => {
  const path = newPath()
  // Like a lock that is released before each look, and taken by another process after it.
  symlinkSync('nowhere', path)
  expect(tryLock(path, as(waiting))).toBeUndefined()
  expect(readdirSync(join(path, '..'))).toEqual(['x.lock'])
})

test('the lock of a process that ended while it removed an abandoned one is replaced', () => {
  const path = newPath()
  tryLock(path, as(ended))
  tryLock(`${path}.left`, as(ended))
  expect(tryLock(path, as(waiting))).toBeDefined()
  expect([ownerOf(path), readdirSync(join(path, '..'))]).toEqual([waiting, ['x.lock']])
})

test.each([
  ['cut off by a power loss', () => '{"boot":"'],
  ['of another machine', (holder: object) => JSON.stringify({ ...holder, boot: 'elsewhere' })],
])('a lock %s is replaced after a minute of silence', (_, written) => {
  const path = newPath()
  tryLock(path, as(newer))
  writeFileSync(path, written(JSON.parse(readFileSync(path, 'utf8'))))
  silence(path, 55)
  expect(tryLock(path, as(waiting))).toBeUndefined()
  expect(holderOf(path, as(waiting).processes)).toBeDefined()
  silence(path, 65)
  expect(holderOf(path, as(waiting).processes)).toBeUndefined()
  expect(tryLock(path, as(waiting))).toBeDefined()
  expect([ownerOf(path), readdirSync(join(path, '..'))]).toEqual([waiting, ['x.lock']])
})

test('the lock of an ended process is replaced at once, of a silent one after a minute', () => {
  const path = newPath()
  tryLock(path, as(newer))
  expect(tryLock(path, as(waiting))).toBeUndefined()
  expect(
    tryLock(
      path,
      as(waiting, pid => pid !== newer),
    ),
  ).toBeDefined()
  silence(path, 65)
  expect(tryLock(path, as(last))).toBeDefined()
})

test('a process that lost its lock sends nothing more, and keeps the new lock', () => {
  const path = newPath()
  const lock = tryLock(path, as(ended))
  const other = tryLock(path, as(newer))
  expect(() => lock?.check()).toThrow(RefusedError)
  lock?.release()
  expect(ownerOf(path)).toBe(newer)
  rmSync(path)
  expect(() => other?.check()).toThrow(RefusedError)
})

test.each([
  ['a second has gone by', 1000],
  ['this process was stopped for a minute', 61_000],
  ['the clock was set back', -1],
])('a lock is checked again once %s', (_, passed) => {
  const path = newPath()
  const lock = tryLock(path, as(newer))
  lock?.check()
  rmSync(path)
  lock?.check()
  clock.set(clock.now() + passed)
  expect(() => lock?.check()).toThrow(RefusedError)
  expect(() => lock?.check()).toThrow(RefusedError)
})

test('a signal ends the wait for a lock', async () => {
  const path = newPath()
  tryLock(path, as(newer))
  const interrupted = AbortSignal.abort(new InterruptedError('SIGINT'))
  const host = { ...as(waiting), random: () => 0.5, interrupted }
  await expect(locked(path.replace('.lock', ''), host, () => 'done')).rejects.toBe(interrupted.reason)
})

test('a lock that another machine removed from a network folder is lost', () => {
  const lock = tryLock(newPath(), as(newer))
  const stale = vi.spyOn(fs, 'fstatSync').mockImplementation(() => {
    throw Object.assign(new Error(), { code: 'ESTALE' })
  })
  syncBuiltinESMExports()
  try {
    expect(() => lock?.check()).toThrow(RefusedError)
    expect(() => lock?.release()).not.toThrow()
  } finally {
    stale.mockRestore()
    syncBuiltinESMExports()
  }
})

test('a folder instead of a lock file is an error', () => {
  const path = newPath()
  mkdirSync(path)
  expect(() => tryLock(path, as(waiting))).toThrow()
})
