/** What is in the place of a job's files is never waited for, and said in one sentence. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { newWorld, type World } from '../world.ts'

const job = '20260515-120000-i000'
const run = (world: World, line: string) => world.run(line.split(' '), { env: { ANALYTICS_SANDBOX: '1' } })

const kinds = [
  ['a pipe', (path: string) => void execFileSync('mkfifo', [path]), 'that is no regular file'],
  ['a device', (path: string) => symlinkSync('/dev/zero', path), 'that is no regular file'],
  ['a folder', (path: string) => void mkdirSync(path), 'that is a folder'],
] as const

test.skipIf(process.platform === 'win32').each(kinds)('%s in the place of a file of a job', async (_, make, why) => {
  for (const name of ['job.json', 'targets', 'unsent.json', 'journal']) {
    const world = newWorld()
    await run(world, 'persons update 3 4 --set a=b --max-duration 0s --yes')
    const path = join(world.folder, 'state/jobs', job, name)
    rmSync(path)
    make(path)
    const { code, stderr } = await run(world, `jobs resume ${job}`)
    expect([name, code, stderr]).toEqual([name, 2, expect.stringContaining(`cannot be read: ${why}`)])
    expect((await run(world, 'jobs list')).code).toBe(0)
    expect((await run(world, `jobs remove ${job} --yes`)).code).toBe(0)
  }
})
