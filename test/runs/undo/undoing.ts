/** A service that is the sandbox, a world beside it, and a process in it that dies at any request that a test names. */
import { cpSync, existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import type { Dialect } from '../../../src/config/sandbox-variable.ts'
import { UnavailableError } from '../../../src/errors.ts'
import { membersOf, readItem } from '../../../src/json/read-item.ts'
import type { Asked } from '../../../src/sandbox/call.ts'
import { serve } from '../../../src/sandbox/server.ts'
import { visit } from '../../sandbox/visit.ts'
import { newWorld, type Ran } from '../../world.ts'

export interface Death {
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
  let requests = 0
  let isDead = false

  /** What the disk holds when the process dies is all that the next one finds. */
  const die = () => {
    isDead = true
    cpSync(state, kept, { recursive: true })
    if (existsSync(backup)) cpSync(backup, `${backup}.kept`)
    throw new UnavailableError('The process is dead')
  }
  const answer = (request: Asked) => {
    requests++
    if (isDead) throw new UnavailableError('The process is dead')
    if (request.method === 'GET' || ++writes !== death?.at) return here.sandbox.answer(request)
    if (death.when === 'after') here.sandbox.answer(request)
    return die()
  }
  const listening = await serve({ port: 0, answer })
  onTestFinished(() => listening.close())
  const env = { ANALYTICS_BASE_URL: listening.baseUrl, ANALYTICS_API_KEY: here.sandbox.key, ANALYTICS_PROJECT: '1' }

  return {
    world,
    ask: here.ask,
    load: (rows: readonly string[]) => here.sandbox.load(rows),
    /** Removes all jobs; the backup stays, with what it holds of them. */
    forget: () => rmSync(state, { recursive: true }),
    writes: () => writes,
    file(name: string, text: string): void {
      writeFileSync(join(world.folder, name), text)
    },
    requests: () => requests,
    run: (argv: readonly string[], more: Readonly<Record<string, string>> = {}): Promise<Ran> =>
      world.run([...argv, '--retries', '0'], { env: { ...env, ...more } }),
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
      here.now += seconds * 1000
      world.now += seconds * 1000
    },
    /** The newest job, which is also in the state folder. */
    jobs: () => readdirSync(join(state, 'jobs')).sort((a, b) => a.length - b.length || (a < b ? -1 : 1)),
    /** All bytes that jobs keep. */
    kept: () =>
      readdirSync(join(state, 'jobs'), { recursive: true, encoding: 'utf8' })
        .map(name => join(state, 'jobs', name))
        .filter(path => statSync(path).isFile())
        .map(path => readFileSync(path, 'latin1'))
        .join('\n'),
    /** The members of an object as the service has them, byte for byte, in the order of their names. */
    async fieldsOf(path: string, within?: string): Promise<readonly string[]> {
      const { text } = await here.ask('GET', path)
      const record = membersOf(readItem(Buffer.from(text)))
      const inner = record.get(within ?? '')
      const shown = within === undefined ? record : inner ? membersOf(inner) : new Map()
      return Array.from(shown)
        .filter(([name]) => !/updated_at$/.test(name))
        .map(([name, value]) => `${JSON.stringify(name)}: ${value.text}`)
        .sort()
    },
  }
}

const person = (id: number) => `/api/projects/1/persons/${id}/`
export const changeProperties = (stage: Stage, id: number, properties: string) =>
  stage.ask('PATCH', person(id), `{"properties":${properties}}`)
export const propertiesOf = (stage: Stage, id: number) => stage.fieldsOf(person(id), 'properties')
/** The words of an undo of what `updatedStage` and others saved. */
export const undoWords = (job: string, ...more: string[]) => [
  'jobs',
  'undo',
  job,
  '--backup',
  'before.ndjson',
  '--yes',
  ...more,
]

/** A stage on which persons 3, 4 and 5 got a plan and a note. */
export async function updatedStage(dialect: Dialect = 'documented') {
  const stage = await openStage(dialect)
  const before = await Promise.all([3, 4, 5].map(id => propertiesOf(stage, id)))
  const set = ['--set', 'plan=lifetime', '--set', 'note=moved', '--backup', 'before.ndjson']
  expect((await stage.run(['persons', 'update', '3', '4', '5', ...set, '--yes'])).code).toBe(0)
  return { stage, before, job: stage.jobs()[0] ?? '' }
}

/** Of NDJSON: the id of each target, and its status or the code of its failure. */
export const outcomeLines = (stdout: string) =>
  stdout
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line) as { id: string; status: string; error: { code: string } | null })
    .map(({ id, status, error }) => [id, error?.code ?? status].join(' '))
    .sort()
