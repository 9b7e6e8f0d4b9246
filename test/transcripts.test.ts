import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { platform } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { needsShell, play } from './transcript.ts'

const folder = join(import.meta.dirname, 'transcripts')

for (const file of readdirSync(folder)) {
  const path = join(folder, file)
  const written = readFileSync(path, 'utf8').trimEnd()
  test.skipIf(platform() === 'win32' && needsShell(written))(file.replace('.txt', ''), async () => {
    const seen = await play(written)
    if (process.env.UPDATE) writeFileSync(path, `${seen}\n`)
    else expect(seen).toBe(written)
  })
}
