/** The lock among real processes. */
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildSync } from 'esbuild'
import { expect, test } from 'vitest'

const lock = JSON.stringify(join(import.meta.dirname, '../../src/locks/lock.ts'))
const [processes, times] = [6, 200]

/** Adds one to the number in a file, which only works if no other process does so meanwhile. */
const counting = `
import { readFileSync, writeFileSync } from 'node:fs'
import { locked } from ${lock}
const clock = { now: Date.now, sleep: ms => new Promise(done => setTimeout(done, ms / 10)) }
const isRunning = pid => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
const host = { clock, random: Math.random, processes: { pid: process.pid, isRunning } }
const [, , file] = process.argv
const addOne = () => writeFileSync(file, String(Number(readFileSync(file, 'utf8')) + 1))
for (let turn = 0; turn < ${times}; turn += 1) await locked(file, host, addOne)
`

test('of several competing processes one holds the lock at a time', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'analytics-locks-'))
  const [program, file] = [join(folder, 'count.mjs'), join(folder, 'count')]
  const stdin = { contents: counting, resolveDir: folder }
  buildSync({ stdin, bundle: true, platform: 'node', format: 'esm', outfile: program })
  writeFileSync(file, '0')
  const count = () => new Promise(done => spawn(process.execPath, [program, file]).once('close', done))
  expect(await Promise.all(Array.from({ length: processes }, count))).toEqual(Array(processes).fill(0))
  expect(readFileSync(file, 'utf8')).toBe(String(processes * times))
})
