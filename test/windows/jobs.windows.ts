/** Runs that are killed, interrupted, resumed and removed. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { startFaulty } from '../process/faulty.ts'
import { inFolder, newFolder, startOnWindows, windowsPath } from './program.ts'
import { isWindows } from './wine.ts'

/** A service that never fails, with a list of persons to delete. */
async function newRun(total: number) {
  const folder = newFolder()
  const ids = Array.from({ length: total }, (_, i) => String(1000 + i))
  const persons = new Map(ids.map(id => [id, { distinct_ids: [`d${id}`], properties: {} }]))
  const server = await startFaulty(persons, () => 0.5)
  onTestFinished(() => server.close())
  const env = { ...inFolder(folder), ...server.env }
  writeFileSync(join(folder, 'ids'), ids.join('\r\n'))
  const receipt = join(folder, 'receipt.json')
  const argv = ['persons', 'delete', '--from', 'ids', '--yes', '--receipt', windowsPath(receipt)]
  const start = (words: readonly string[]) => startOnWindows(words, env, '', folder)
  const outcomes = () => JSON.parse(readFileSync(receipt, 'utf8'))
  const jobs = () => readdirSync(join(folder, 'state/jobs'))
  return { ids, server, env, argv, start, outcomes, jobs }
}

const lives = 50

test(`after ${lives} kills a job resumes, and each target has one outcome`, { timeout: 600_000 }, async () => {
  const { ids, server, argv, start, outcomes, jobs } = await newRun(lives * 10)
  let words: readonly string[] = argv
  for (let life = 0; life < lives; life++) {
    const { child, finished } = start(words)
    server.after(1 + (life % 7), () => child.kill('SIGKILL'))
    expect([life, (await finished).code]).toEqual([life, null])
    words = ['jobs', 'resume', '--last']
  }
  server.after(-1, () => undefined)
  const { code, stderr } = await start(words).finished
  expect(code, stderr).toBe(0)
  const { complete, outcomes: found } = outcomes()
  expect(complete).toBe(true)
  expect(found.map(({ id }: { id: string }) => id)).toEqual(ids)
  expect(new Set(found.map(({ status }: { status: string }) => status))).toEqual(new Set(['deleted']))
  expect(server.model.left()).toEqual([])
  expect(jobs()).toHaveLength(1)
})

test('while a process works on a job, another one can neither resume nor remove it', async () => {
  const { server, argv, start, jobs } = await newRun(200)
  const started = new Promise<void>(resolve => server.after(2, resolve))
  const first = start([...argv, '--rate', '1/s'])
  await started
  const [job = ''] = jobs()
  const others = [start(['jobs', 'resume', job]), start(['jobs', 'remove', job, '--yes'])]
  const refused = await Promise.all(others.map(({ finished }) => finished))
  first.child.kill('SIGKILL')
  await first.finished
  for (const { code, stderr } of refused)
    expect([code, stderr]).toEqual([10, expect.stringContaining('is in use by process')])
  expect((await start(['jobs', 'remove', job, '--yes']).finished).code).toBe(0)
  expect(jobs()).toEqual([])
})

test('a job is removed with its folder', async () => {
  const { argv, start, jobs } = await newRun(3)
  expect((await start(argv).finished).code).toBe(0)
  expect(jobs()).toHaveLength(1)
  const { code, stderr } = await start(['jobs', 'remove', ...jobs(), '--yes']).finished
  expect(code, stderr).toBe(0)
  expect(jobs()).toEqual([])
})

// On Windows, only a terminal can send this signal.
test.skipIf(isWindows)('an interrupted run exits with 130, keeps its journal, and resumes', async () => {
  const { server, argv, start, outcomes } = await newRun(300)
  const { child, finished } = start(argv)
  server.after(40, () => child.kill('SIGINT'))
  const { code, stderr } = await finished
  expect([code, stderr]).toEqual([130, expect.stringContaining('analytics jobs resume ')])
  const { deleted } = outcomes().counts
  expect(deleted).toBeGreaterThan(0)
  // Some of the pending requests were done.
  expect(deleted).toBeLessThanOrEqual(300 - server.model.left().length)
  expect((await start(['jobs', 'resume', '--last']).finished).code).toBe(0)
  expect(server.model.left()).toEqual([])
})
