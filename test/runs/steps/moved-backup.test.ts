/** A backup that somebody moves, replaces or removes while the run goes on, or before it is resumed. */
import { readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { accepting, jobCounts, startService } from '../../service.ts'

/** What somebody does to a file while the third person is being changed. */
const moves: Readonly<Record<string, (path: string) => void>> = {
  removed: path => rmSync(path),
  moved: path => renameSync(path, `${path}.1`),
  replaced: path => {
    renameSync(path, `${path}.1`)
    writeFileSync(path, '')
  },
}

async function startMoving(move: (path: string) => void, when = 3) {
  let writes = 0
  const service = await startService(async (asked, response) => {
    if (asked.method !== 'GET' && ++writes === when) move(path)
    return accepting(asked, response)
  })
  const path = join(service.world.folder, 'b.ndjson')
  return { ...service, path }
}

const deleting = 'persons delete 1 2 3 4 5 --backup b.ndjson --concurrency 1 --receipt r.json --yes'

describe.each(Object.keys(moves))('%s during a run', how => {
  test('nothing more is sent, and the receipt has no digest of another file', async () => {
    const { run, sent, receipt } = await startMoving(moves[how] as (path: string) => void)
    const { code, stderr } = await run(deleting)
    expect([code, sent().length]).toEqual([7, 3])
    expect(stderr).toMatch(/The backup \S+b\.ndjson was moved or removed, so nothing more is sent\.\nPut it back, or/)
    expect(stderr).toContain('Saved 3 persons in b.ndjson, which was moved or removed during the run')
    expect(stderr).toContain('Resume with: ')
    expect(receipt()).toMatchObject({ complete: false, backup: { path: 'b.ndjson', sha256: null } })
  })

  test('resuming sends nothing until it is back, or another file is named', async () => {
    const { run, server, sent, receipt, world } = await startMoving(moves[how] as (path: string) => void)
    await run(deleting)
    const asked = server.asked.length
    for (const line of ['jobs resume --last', 'jobs resume --last --backup b.ndjson']) {
      const { code, stderr } = await run(line)
      expect([code, server.asked.length]).toEqual([10, asked])
      expect(stderr).toMatch(/which holds the records that the job has saved, is (empty|not there any more)\.\nPut it/)
      expect(stderr).toContain('give another file with --backup')
    }
    expect((await run('jobs resume --last --backup c.ndjson')).code).toBe(0)
    expect(sent().map(({ path }) => path.split('/').at(-2))).toEqual(['1', '2', '3', '4', '5'])
    expect(readFileSync(join(world.folder, 'c.ndjson'), 'utf8').trimEnd().split('\n')).toHaveLength(2)
    expect(receipt()).toMatchObject({ complete: true, backup: { path: 'c.ndjson', sha256: expect.any(String) } })
    expect(receipt().notes).toContainEqual(
      expect.stringMatching(/^An earlier part of this run had the backup b\.ndjson \(/),
    )
  })
})

test('put out of reach, it stops the run, and a resume without another file', async () => {
  const { run, server, receipt } = await startMoving(path => {
    renameSync(path, `${path}.1`)
    symlinkSync(path, path)
  })
  expect(await run(deleting)).toMatchObject({ code: 7, stderr: expect.stringContaining('so nothing more is sent') })
  expect(receipt()).toMatchObject({ complete: false, backup: { sha256: null } })
  const asked = server.asked.length
  const { code, stderr } = await run('jobs resume --last')
  expect([code, server.asked.length]).toEqual([10, asked])
  expect(stderr).toContain('which holds the records that the job has saved, cannot be read')
})

test('put back, it is gone on with', async () => {
  const { run, path } = await startMoving(moves.moved as (path: string) => void)
  await run(deleting)
  renameSync(`${path}.1`, path)
  expect((await run('jobs resume --last')).code).toBe(0)
  expect(await jobCounts(run)).toEqual(['done', 5, 0])
  expect(new Set(readFileSync(path, 'utf8').trimEnd().split('\n')).size).toBe(5)
})

test('moved after the last record: all is done, and it is said', async () => {
  const { run, receipt } = await startMoving(moves.moved as (path: string) => void, 5)
  const { code, stderr } = await run(deleting)
  expect([code, stderr]).toEqual([
    0,
    expect.stringContaining('Saved 5 persons in b.ndjson, which was moved or removed'),
  ])
  expect(receipt()).toMatchObject({ complete: true, backup: { path: 'b.ndjson', sha256: null } })
})

test('one of a single target: it is not changed', async () => {
  let path = ''
  const { run, sent, world } = await startService((asked, response) => {
    if (/\/persons\/1\/$/.test(asked.path)) rmSync(path, { force: true })
    return accepting(asked, response)
  })
  path = join(world.folder, 'b.ndjson')
  expect((await run('persons delete 1 --backup b.ndjson --yes')).code).toBe(7)
  expect(sent()).toEqual([])
})

test('a run that was stopped before its first target begins the file anew', async () => {
  const { run, path } = await startMoving(() => undefined)
  await run(`${deleting} --max-duration 0s`)
  rmSync(path)
  expect((await run('jobs resume --last')).code).toBe(0)
  expect(readFileSync(path, 'utf8').trimEnd().split('\n')).toHaveLength(5)
})
