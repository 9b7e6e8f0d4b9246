import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  interface ProvidedContext {
    /** The folder of the release. */
    release: string
  }
}

/** Makes one release for all files of tests; `RELEASE=folder` names one that is made already. */
export default function make({ provide }: TestProject): (() => void) | undefined {
  const made = process.env.RELEASE && resolve(process.env.RELEASE)
  const folder = made ?? mkdtempSync(join(tmpdir(), 'analytics-release-test-'))
  provide('release', folder)
  if (made) return undefined
  release(join(import.meta.dirname, '../..'), folder)
  return () => rmSync(folder, { recursive: true, force: true })
}

export function release(root: string, folder: string, env: Readonly<Record<string, string>> = {}, umask = 0o022): void {
  const script = `umask ${umask.toString(8)}; exec "$0" scripts/release/release.mjs "$1"`
  const options = { cwd: root, env: { ...process.env, ...env }, stdio: 'ignore' } as const
  execFileSync('sh', ['-c', script, process.execPath, folder], options)
}
