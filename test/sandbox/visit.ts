/** A sandbox in a folder of its own, on a clock that only the test moves, and short ways to ask it things. */
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { Clock } from '../../src/host.ts'
import type { Dialect } from '../../src/sandbox/call.ts'
import { openSandbox, type Sandbox } from '../../src/sandbox/open.ts'
import { removeFolder } from '../world.ts'

export interface Visit {
  readonly sandbox: Sandbox
  readonly folder: string
  /** A Friday; the next weekly batch is two days off. */
  now: number
  /** How long each sleep was asked to last; none of them does. */
  readonly sleeps: number[]
  ask(method: string, path: string, body?: string, headers?: Readonly<Record<string, string>>): Promise<Told>
  /** The JSON that a GET answers. */
  get(path: string): Promise<Json>
}

/** The members of answers that tests look at one by one; which of them there are, the test knows. */
export interface Json {
  readonly id: number | string
  readonly uuid: string
  readonly name: string
  readonly distinct_ids: readonly string[]
  readonly properties: Readonly<Record<string, unknown>>
  readonly people: readonly Json[]
  readonly count: number
  readonly next: string | null
  readonly previous: string | null
  readonly results: readonly Json[]
  readonly points: readonly Json[]
  readonly detail: unknown
  readonly organization: string
  readonly code: string
  readonly attr: string | null
}

export interface Told {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
  readonly json: Json
}

export interface Visiting {
  readonly dialect?: Dialect
  readonly faults?: string
  readonly seed?: number
  readonly folder?: string
}

export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'analytics-sandbox-'))
  onTestFinished(() => removeFolder(folder))
  return folder
}

export async function visit({ dialect = 'documented', folder = temporaryFolder(), faults, seed }: Visiting = {}) {
  const sleeps: number[] = []
  const clock: Clock = {
    now: () => here.now,
    elapsed: () => here.now,
    sleep: async ms => {
      sleeps.push(ms)
      here.now += ms
    },
  }
  const sandbox = await openSandbox({
    stateDir: folder,
    dialect,
    faults,
    seed,
    clock,
    random: () => 0.5,
    timeout: Number.POSITIVE_INFINITY,
    signal: undefined,
  })
  onTestFinished(() => sandbox.close())
  const here: Visit = {
    sandbox,
    folder,
    now: Date.UTC(2026, 4, 15, 12),
    sleeps,
    async ask(method, path, body, headers = { authorization: `Bearer ${sandbox.key}` }) {
      const response = await sandbox.send({
        method,
        url: new URL(path, sandbox.baseUrl),
        headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
        body,
        effect: method === 'GET' ? 'read' : 'set',
        destroys: method === 'DELETE',
      })
      const chunks: Uint8Array[] = []
      for await (const chunk of response.body) chunks.push(chunk)
      const text = Buffer.concat(chunks).toString()
      return {
        status: response.status,
        headers: response.headers,
        text,
        get json(): Json {
          return JSON.parse(text)
        },
      }
    },
    async get(path) {
      const answer = await here.ask('GET', path)
      if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}: ${answer.text}`)
      return answer.json
    },
  }
  return here
}
