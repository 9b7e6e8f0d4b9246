/** Config files for tests, in a folder of their own. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { Failure } from '../../src/errors.ts'
import type { InputHost } from '../../src/files/read-input.ts'
import { readSettings } from '../../src/settings/read.ts'

export interface Given {
  readonly files: Readonly<Record<string, string | Uint8Array>>
  readonly env?: Readonly<Record<string, string>>
  readonly stdin?: string
  /** Gets the lines that are written before a summary of several mistakes. */
  readonly said?: string[]
  /** The variables that `--env` names; all of `env` and those in `allowed` where it is absent. */
  readonly allowed?: readonly string[]
  /** What `-f` names; the files in their order where it is absent. */
  readonly named?: readonly string[]
}

/** The values that the files want, by field. */
export async function wantedIn(given: Given): Promise<Record<string, unknown>> {
  const { files, env = {}, stdin = '', named, allowed = Object.keys(env) } = given
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
  const host: InputHost = { cwd: folder, stdin: input, interrupted: new AbortController().signal }
  const options = {
    variables: { env, allowed },
    undocumented: false,
    shared: new Set<string>(),
    chosen: () => true,
    messages: { say: (line: string) => void given.said?.push(line), warn: () => undefined },
  }
  const [state] = await readSettings(host, [named ?? Object.keys(files)], options)
  return Object.fromEntries(state?.values ?? [])
}

/** What is said about files that are refused: `message | hint`. */
export async function refusal(given: Given): Promise<string> {
  const error = (await wantedIn(given).then(
    () => undefined,
    (one: unknown) => one,
  )) as Failure | undefined
  return error === undefined ? 'taken' : `${error.message} | ${error.facts.hint}`
}
