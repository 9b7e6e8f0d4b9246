/** A signal ends a program that reads from a pipe whose writer says nothing. */
import { execFileSync, spawn } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test as anywhere, expect, onTestFinished } from 'vitest'
import { bin, emptyHome, machine } from './program.ts'

const test = anywhere.skipIf(process.platform === 'win32')

function start(argv: readonly string[]) {
  const child = spawn(process.execPath, [bin, '--sandbox', '--project', '1', ...argv], {
    env: { ...machine, HOME: emptyHome() },
    stdio: ['pipe', 'ignore', 'pipe'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  return { child, ended: new Promise(resolve => child.once('close', resolve)) }
}

test.each([
  ['persons delete --yes --from'],
  ['persons update --yes --rows'],
  ['persons verify --receipt'],
  ['jobs run'],
  ['projects diff -f'],
  ['projects diff --manifest'],
  ['sandbox load'],
])('%s FILE', async typed => {
  const path = join(mkdtempSync(join(tmpdir(), 'analytics-pipe-')), 'pipe')
  execFileSync('mkfifo', [path])
  const { child, ended } = start([...typed.split(' '), path])
  // Waits until the program reads.
  const writer = await open(path, 'w')
  onTestFinished(() => writer.close())
  child.kill('SIGINT')
  expect(await ended).toBe(130)
})

test.each(['persons delete --yes --from -', 'projects update 1 --body -', 'projects diff -f -'])('%s', async typed => {
  const { child, ended } = start(typed.split(' '))
  await new Promise(resolve => child.stderr.once('data', resolve))
  child.kill('SIGINT')
  expect(await ended).toBe(130)
})
