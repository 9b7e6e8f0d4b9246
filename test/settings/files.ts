/** Settings files for tests, in a folder of their own. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { Failure } from '../../src/errors.ts'
import type { Host } from '../../src/host.ts'
import { readWanted } from '../../src/settings/read.ts'

export interface Given {
  readonly files: Readonly<Record<string, string | Uint8Array>>
  readonly env?: Readonly<Record<string, string>>
  readonly stdin?: string
  /** What `-f` names; the files in their order where it is absent. */
  readonly named?: readonly string[]
}

/** The values that the files want, by field. */
export async function wantedIn({ files, env = {}, stdin = '', named }: Given): Promise<Record<string, unknown>> {
  const folder = mkdtempSync(join(tmpdir(), 'analytics-settings-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content)
  const input = {
    isTerminal: false,
    ask: async () => undefined,
    read: async function* () {
      yield Buffer.from(stdin)
    },
  }
  const host: Pick<Host, 'cwd' | 'env' | 'stdin'> = { cwd: folder, env, stdin: input }
  return Object.fromEntries(await readWanted(host, named ?? Object.keys(files)))
}

/** What is said about files that are refused: `message | hint`. */
export async function refusal(given: Given): Promise<string> {
  const error = (await wantedIn(given).then(
    () => undefined,
    (one: unknown) => one,
  )) as Failure | undefined
  return error === undefined ? 'taken' : `${error.message} | ${error.facts.hint}`
}
