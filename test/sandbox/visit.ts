/** A sandbox in its own folder with a fixed clock, and short functions to send requests to it. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { Dialect } from '../../src/config/resolve.ts'
import { openSandbox } from '../../src/sandbox/sandbox.ts'
import { sandboxBase } from '../../src/values/url.ts'
import { noon } from '../clock.ts'

interface Visit {
  readonly sandbox: Awaited<ReturnType<typeof openSandbox>>
  readonly folder: string
  /** A Friday; the next weekly batch is two days off. */
  now: number
  ask(method: string, path: string, body?: string, headers?: Readonly<Record<string, string>>): Promise<ParsedReply>
  /** The JSON that a GET answers. */
  get(path: string): Promise<Json>
  /** Before the test ends; otherwise it is closed at the end. */
  close(): void
}

/** Members of responses that tests read; each test knows which of them are there. */
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

interface ParsedReply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
  readonly json: Json
}

export interface Visiting {
  readonly dialect?: Dialect
  readonly folder?: string
}

export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'analytics-sandbox-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

export async function visit({ dialect = 'documented', folder = temporaryFolder() }: Visiting = {}) {
  const sandbox = await openSandbox({
    stateDir: folder,
    isObserved: dialect === 'observed',
    clock: { now: () => here.now },
    notice: () => undefined,
  })
  let isOpen = true
  onTestFinished(() => here.close())
  const here: Visit = {
    sandbox,
    folder,
    now: noon,
    async ask(method, path, body, headers = { authorization: `Bearer ${sandbox.key}` }) {
      const reply = sandbox.answer({
        method,
        url: new URL(path, sandboxBase),
        headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
        body,
      })
      const { status, headers: replyHeaders, body: text } = reply
      return {
        status,
        headers: replyHeaders,
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
    close() {
      if (isOpen) sandbox.close()
      isOpen = false
    },
  }
  return here
}
