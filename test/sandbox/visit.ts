/** A sandbox in its own folder with a fixed clock, and short functions to send requests to it. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { Dialect } from '../../src/config/settings.ts'
import { openSandbox } from '../../src/sandbox/sandbox.ts'
import { sandboxBase } from '../../src/values/url.ts'
import { noon } from '../clock.ts'

/** Members of responses that tests read; each test knows which of them are there. */
interface Json {
  readonly uuid: string
  readonly distinct_ids: readonly string[]
  readonly properties: Readonly<Record<string, unknown>>
  readonly count: number
  readonly results: readonly Json[]
}

interface Visit {
  readonly dialect?: Dialect
  readonly folder?: string
}

export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'analytics-sandbox-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

export async function visit({ dialect = 'documented', folder = temporaryFolder() }: Visit = {}) {
  let now = noon
  const host = { env: { ANALYTICS_STATE_DIR: folder }, home: undefined, cwd: '/', clock: { now: () => now } }
  const sandbox = await openSandbox({ host, messages: { notice: () => undefined } }, dialect)
  let isOpen = true
  const close = () => {
    if (isOpen) sandbox.close()
    isOpen = false
  }
  onTestFinished(close)

  function request(method: string, path: string, body?: string) {
    const type = body === undefined ? {} : { 'content-type': 'application/json' }
    const headers = { ...type, authorization: `Bearer ${sandbox.key}` }
    const { status, body: text } = sandbox.respond({ method, url: new URL(path, sandboxBase), headers, body })
    return { status, text }
  }

  function get(path: string): Json {
    const { status, text } = request('GET', path)
    if (status !== 200) throw new Error(`${path} returned ${status}: ${text}`)
    return JSON.parse(text)
  }

  function advance(ms: number): void {
    now += ms
  }

  return { sandbox, folder, request, get, advance, close }
}
