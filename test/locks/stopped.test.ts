/** A process that is stopped for a minute between any two calls to the system, while others work, never takes away a lock that is held. */
import { mkdtempSync, readdirSync, readFileSync, utimesSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { type Lock, tryLock } from '../../src/locks/lock.ts'
import { fakeClock } from '../clock.ts'

const stopping = vi.hoisted(() => ({ calls: 0, isAt: (_: number): boolean => false, meanwhile: () => {} }))

vi.mock('node:fs', async original => {
  const own = await original<Record<string, unknown>>()
  const stopped = (call: (...given: unknown[]) => unknown) => {
    return (...given: unknown[]) => {
      const { meanwhile } = stopping
      stopping.calls += 1
      if (stopping.isAt(stopping.calls)) {
        stopping.isAt = () => false
        meanwhile()
      }
      return call(...given)
    }
  }
  const isCall = ([name, value]: [string, unknown]) => name.endsWith('Sync') && typeof value === 'function'
  const calls = Object.entries(own).filter(isCall)
  return { ...own, ...Object.fromEntries(calls.map(([name, call]) => [name, stopped(call as never)])) }
})

/** Ids that no process has. */
const [gone, slow, other] = [2 ** 22 + 1, 2 ** 22 + 2, 2 ** 22 + 3]
const as = (own: number) => ({ clock: fakeClock(), processes: { own, isRunning: (pid: number) => pid !== gone } })

const silence = (folder: string) => {
  for (const name of readdirSync(folder)) utimesSync(join(folder, name), new Date(), new Date(Date.now() - 65_000))
}

/** Does `work` as a process that is stopped at its call `at`; returns how many calls it made, and the lock that another took meanwhile. */
function stop(at: number, work: (path: string, lock: Lock | undefined) => Lock | undefined, before: number) {
  const folder = mkdtempSync(join(tmpdir(), 'analytics-stopped-'))
  const path = join(folder, 'x.lock')
  const lock = tryLock(path, as(before))
  let newer: Lock | undefined
  const meanwhile = () => {
    silence(folder)
    newer = tryLock(path, as(other))
  }
  Object.assign(stopping, { calls: 0, isAt: (call: number) => call === at, meanwhile })
  const own = work(path, lock)
  stopping.isAt = () => false
  return { calls: stopping.calls, path, newer, own }
}

test.each([
  ['takes over the lock of a process that is gone', gone, (path: string) => tryLock(path, as(slow))],
  ['releases its own', slow, (_: string, lock: Lock | undefined) => void lock?.release()],
] as const)('one that %s', (_, before, work) => {
  const { calls } = stop(0, work, before)
  const taken: number[] = []
  for (let at = 1; at <= calls; at += 1) {
    const { path, newer, own } = stop(at, work, before)
    if (!newer) continue
    taken.push(at)
    expect(() => newer.check(), `call ${at}`).not.toThrow()
    expect(JSON.parse(readFileSync(path, 'utf8')).pid).toBe(other)
    if (own) expect(() => own.check(), `call ${at}`).toThrow()
  }
  expect(taken.length).toBeGreaterThan(calls / 3)
})

test('one that is touched between any two calls is held, however long they take', () => {
  const path = join(mkdtempSync(join(tmpdir(), 'analytics-stopped-')), 'x.lock')
  tryLock(path, as(other))
  const isAt = () => true
  const meanwhile = () => {
    utimesSync(path, new Date(), new Date(Date.now() - 65_000 - stopping.calls * 1000))
    stopping.isAt = isAt
  }
  Object.assign(stopping, { calls: 0, isAt, meanwhile })
  expect(tryLock(path, as(slow))).toBeUndefined()
  stopping.isAt = () => false
  expect(JSON.parse(readFileSync(path, 'utf8')).pid).toBe(other)
})
