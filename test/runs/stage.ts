/** A service that is the sandbox, a world beside it, and a process in it that dies at any request that a test names. */
import { cpSync, existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { Dialect } from '../../src/config/settings.ts'
import { UnavailableError } from '../../src/errors.ts'
import { readItem, sliceObject } from '../../src/json/read-item.ts'
import type { SandboxRequest } from '../../src/sandbox/call.ts'
import { serve } from '../../src/sandbox/server.ts'
import { filesIn } from '../files-in.ts'
import { visit } from '../sandbox/visit.ts'
import { newWorld, type Ran } from '../world.ts'

interface Death {
  /** The write at which the process dies, from 1. */
  readonly at: number
  readonly when: 'before' | 'after'
}

export type Stage = Awaited<ReturnType<typeof openStage>>

export async function openStage(dialect: Dialect) {
  const here = await visit({ dialect })
  const world = newWorld()
  const state = join(world.folder, 'state')
  const kept = `${state}.kept`
  const backup = join(world.folder, 'before.ndjson')
  let death: Death | undefined
  let writes = 0
  let isDead = false

  /** What the disk holds when the process dies is all that the next one finds. */
  const die = () => {
    isDead = true
    cpSync(state, kept, { recursive: true })
    if (existsSync(backup)) cpSync(backup, `${backup}.kept`)
    throw new UnavailableError('The process is dead')
  }
  const respond = (request: SandboxRequest) => {
    if (isDead) throw new UnavailableError('The process is dead')
    if (request.method === 'GET' || ++writes !== death?.at) return here.sandbox.respond(request)
    if (death.when === 'after') here.sandbox.respond(request)
    return die()
  }
  const listening = await serve(0, respond)
  onTestFinished(() => listening.close())
  const env = { ANALYTICS_BASE_URL: listening.baseUrl, ANALYTICS_API_KEY: here.sandbox.key, ANALYTICS_PROJECT: '1' }

  return {
    world,
    load: (rows: readonly string[]) => here.sandbox.load(rows),
    /** Removes all jobs; the backup stays, with what it holds of them. */
    forget: () => rmSync(state, { recursive: true }),
    file(name: string, text: string): void {
      writeFileSync(join(world.folder, name), text)
    },
    run: (argv: readonly string[]): Promise<Ran> => world.run([...argv, '--retries', '0'], { env }),
    /** Returns whether the process died before it had finished. */
    async runUntil(wanted: Death, argv: readonly string[]): Promise<boolean> {
      death = wanted
      writes = 0
      await world.run([...argv, '--retries', '0'], { env })
      death = undefined
      if (!isDead) return false
      isDead = false
      rmSync(state, { recursive: true })
      renameSync(kept, state)
      if (existsSync(`${backup}.kept`)) renameSync(`${backup}.kept`, backup)
      world.pid++
      return true
    },
    /** Resumes a job until it is done. */
    async finish(job: string): Promise<void> {
      this.pass()
      const { code, stderr } = await this.run(['jobs', 'resume', job, '-o', 'ndjson'])
      if (code !== 0) throw new Error(stderr)
    },
    /** Lets the service apply all that it accepted. */
    pass(seconds = 61): void {
      here.advance(seconds * 1000)
      world.clock.set(world.clock.now() + seconds * 1000)
    },
    /** The newest job, which is also in the state folder. */
    jobs: () => readdirSync(join(state, 'jobs')).sort((a, b) => a.length - b.length || (a < b ? -1 : 1)),
    /** All bytes that jobs keep. */
    kept: () =>
      filesIn(join(state, 'jobs'))
        .map(path => readFileSync(path, 'latin1'))
        .join('\n'),
    /** The members of an object as the service has them, byte for byte, in the order of their names. */
    async fieldsOf(path: string, within?: string): Promise<readonly string[]> {
      const { text } = here.request('GET', path)
      const record = sliceObject(readItem(Buffer.from(text)))
      const inner = record.get(within ?? '')
      const shown = within === undefined ? record : inner ? sliceObject(inner) : new Map()
      return Array.from(shown)
        .filter(([name]) => !/updated_at$/.test(name))
        .map(([name, value]) => `${JSON.stringify(name)}: ${value.text}`)
        .sort()
    },
  }
}
