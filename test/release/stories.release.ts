/** The stories of `test/transcripts`, typed into the executable and into the program of the Debian package. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { play } from '../transcript.ts'
import { addLibraries, executable, isRoot, newFolder, ownFolder, unpacked, within } from './program.ts'
import { lasting, type Place, typist } from './typist.ts'

const minutes = 60_000
const transcripts = join(import.meta.dirname, '../transcripts')

/** It asks how long ago the persons of the sandbox came, who came before a day in May. */
const bound = ['who-exactly.txt']
const stories = readdirSync(transcripts).filter(file => !bound.includes(file))

async function tell(file: string, place: Place): Promise<void> {
  const written = readFileSync(join(transcripts, file), 'utf8').trimEnd()
  const player = typist(place)
  expect(lasting(await play(written, player))).toBe(lasting(written))
}

describe('the executable', () => {
  const folder = newFolder()
  test.each(stories)('%s', { timeout: 5 * minutes }, file =>
    tell(file, { folder: join(folder, file), program: [executable] }),
  )
})

describe.runIf(isRoot)('the Debian package, in a root folder with no Node in it', () => {
  const root = unpacked()
  addLibraries(root)
  test.each(stories)('%s', { timeout: 5 * minutes }, file => {
    const seenAs = `/home/${file}`
    const folder = ownFolder(root, seenAs)
    return tell(file, { folder, seenAs, program: [...within(root, seenAs), '/usr/bin/analytics'] })
  })
})
