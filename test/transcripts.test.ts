import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { play } from './transcript.ts'

const folder = join(import.meta.dirname, 'transcripts')

for (const file of readdirSync(folder)) {
  test(file.replace('.txt', ''), async () => {
    const path = join(folder, file)
    const written = readFileSync(path, 'utf8').trimEnd()
    const seen = await play(written)
    if (process.env.UPDATE) writeFileSync(path, `${seen}\n`)
    else expect(seen).toBe(written)
  })
}
