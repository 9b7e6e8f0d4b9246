import { chmodSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { analytics } from './program.ts'

test("somebody's script runs on the sandbox, whatever service its environment names, and ends with its own code", async () => {
  const script = join(mkdtempSync(join(tmpdir(), 'analytics-exec-')), 'purge.sh')
  writeFileSync(
    script,
    `#!/bin/sh
for id in $(analytics persons list --search ada@ -o ids); do analytics persons delete "$id" --yes; done
analytics persons list --search ada@ -o json
exit 5
`,
  )
  chmodSync(script, 0o755)
  const { stdout, stderr, code } = await analytics(['sandbox', 'exec', '--', script], {
    ANALYTICS_BASE_URL: 'http://127.0.0.1:1',
    ANALYTICS_API_KEY: 'a-key-of-the-real-service',
  })
  expect([stdout, code]).toEqual(['[]\n', 5])
  expect(stderr).toContain('Deleted person 55 of project 1 (sandbox)')
  expect(stderr).toContain('sandbox: ANALYTICS_BASE_URL, ANALYTICS_API_KEY ignored')
  expect(stderr).not.toContain('a-key-of-the-real-service')
})

test('a command that cannot be started is a usage error', async () => {
  const { stderr, code } = await analytics(['sandbox', 'exec', '--', 'no-such-command'])
  expect(stderr).toContain('no-such-command cannot be started.')
  expect(code).toBe(2)
})
