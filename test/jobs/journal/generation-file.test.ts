/** The journal file of a process is replaced by the next generation while a sync of the old one may still wait. */
import { execFileSync } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, read, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { createGeneration, seedOf } from '../../../src/jobs/journal/generation.ts'
import { GenerationFile } from '../../../src/jobs/journal/generation-file.ts'
import { fakeClock } from '../../clock.ts'

const jobDigest = '0123456789abcdef'

/** Node reads and syncs files in four threads: each waits until somebody writes to its pipe. */
function occupyThreads(folder: string): () => void {
  const pipes = Array.from({ length: Number(process.env.UV_THREADPOOL_SIZE ?? 4) }, (_, i) => {
    const path = join(folder, `pipe-${i}`)
    execFileSync('mkfifo', [path])
    const pipe = openSync(path, 'r+')
    read(pipe, Buffer.alloc(1), () => closeSync(pipe))
    return pipe
  })
  return () => {
    for (const pipe of pipes) writeSync(pipe, 'x')
  }
}

function openJournal(folder: string) {
  const processes = { own: process.pid, isRunning: () => true, run: async () => 0 }
  const holder = { boot: '', host: 'one', pid: process.pid, began: '' }
  const first = createGeneration(folder, ['generation', 1, holder, null], seedOf(jobDigest, 1))
  if (!first) throw new Error('The first generation is there already')
  return new GenerationFile({ folder, jobDigest, host: { clock: fakeClock(), processes } }, first)
}

test.skipIf(process.platform === 'win32')(
  'a sync that comes after the next generation began is no failure',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'analytics-generation-'))
    const journal = openJournal(folder)
    const free = occupyThreads(folder)
    const synced = journal.sync()
    journal.beginNext()
    free()
    await expect(synced).resolves.toBeUndefined()
    journal.close()
  },
)

test.skipIf(process.platform === 'win32')(
  'after a sync that failed no target is begun, and outcomes are still written',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'analytics-generation-'))
    const clock = fakeClock()
    const processes = { own: process.pid, isRunning: () => true, run: async () => 0 }
    // It takes what is written, and refuses to sync it.
    const file = openSync('/dev/null', 'r+')
    const journal = new GenerationFile(
      { folder, jobDigest, host: { clock, processes } },
      { generation: 1, file, bytes: 0 },
    )
    expect(() => journal.refuseUnkept()).not.toThrow()
    await clock.sleep(1000)
    journal.append([['may-send', 1]])
    await vi.waitFor(() => expect(() => journal.refuseUnkept()).toThrow('cannot be written: EINVAL'))
    journal.append([['deleted', 0, 'answered', 1]])
    expect(() => journal.close()).toThrow('cannot be written: EINVAL')
  },
)
