/** A process that is stopped for a minute between any two calls to the system, while others work, never takes away a lock that is held. */
import { mkdtempSync, readdirSync, readFileSync, utimesSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type Lock, tryLock } from '../../src/locks/lock.ts'
import { between } from '../between-calls.ts'
import { fakeClock } from '../clock.ts'

/** Ids that no process has. */
const [gone, slow, other] = [2 ** 22 + 1, 2 ** 22 + 2, 2 ** 22 + 3]
const as = (pid: number) => ({ clock: fakeClock(), processes: { pid, isRunning: (one: number) => one !== gone } })
const newFolder = () => mkdtempSync(join(tmpdir(), 'analytics-stopped-'))
const ownerOf = (path: string) => JSON.parse(readFileSync(path, 'utf8')).pid
const silence = (path: string, seconds: number) => utimesSync(path, new Date(), new Date(Date.now() - seconds * 1000))

test.each([
  ['takes over the lock of a process that is gone', gone, (path: string) => tryLock(path, as(slow))],
  ['releases its own', slow, (_: string, lock: Lock | undefined) => void lock?.release()],
] as const)('one that %s', (_, before, work) => {
  const stop = (at: number) => {
    const folder = newFolder()
    const path = join(folder, 'x.lock')
    const lock = tryLock(path, as(before))
    let newer: Lock | undefined
    let own: Lock | undefined
    const others = (call: number) => {
      if (call !== at) return
      for (const name of readdirSync(folder)) silence(join(folder, name), 65)
      newer = tryLock(path, as(other))
    }
    const calls = between(others, () => (own = work(path, lock)))
    return { calls, path, newer, own }
  }
  const { calls } = stop(0)
  let taken = 0
  for (let at = 1; at <= calls; at += 1) {
    const { path, newer, own } = stop(at)
    if (!newer) continue
    taken += 1
    expect(() => newer.check(), `call ${at}`).not.toThrow()
    expect(ownerOf(path)).toBe(other)
    if (own) expect(() => own.check(), `call ${at}`).toThrow()
  }
  expect(taken).toBeGreaterThan(calls / 3)
})

test('a lock that is touched between any two calls stays held, however long they take', () => {
  const path = join(newFolder(), 'x.lock')
  tryLock(path, as(other))
  let lock: Lock | undefined
  between(
    call => silence(path, 65 + call),
    () => (lock = tryLock(path, as(slow))),
  )
  expect([lock, ownerOf(path)]).toEqual([undefined, other])
})
