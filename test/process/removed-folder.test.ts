/** In a working folder that was removed, relative file names are refused, and nothing is read or written elsewhere. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { needsPosix } from '../posix.ts'
import { bash, emptyHome } from './program.ts'

needsPosix('a shell')

const outside = emptyHome()
writeFileSync(join(outside, 'ids.txt'), '1\n')

const inRemovedFolder = (typed: string) =>
  bash(`mkdir gone && cd gone && rmdir ../gone && analytics ${typed}`, { ANALYTICS_SANDBOX: '1' }, emptyHome())

test.each([
  'persons delete --from ../../../../ids.txt --yes',
  'persons delete 1 --receipt receipt.json --yes',
  'persons delete --from missing.txt --unmatched rest.csv --yes',
  'persons update 1 --body @body.json',
  'projects diff -f .',
  'sandbox load persons.ndjson',
  'jobs undo --last --backup before.ndjson --yes',
])('%s exits with 2', async typed => {
  const { code, stderr } = await inRemovedFolder(typed)
  expect([code, stderr]).toEqual([2, expect.stringContaining('the working folder was removed')])
})

test('absolute file names and commands without files work', async () => {
  expect((await inRemovedFolder('persons list --limit 1 -q')).code).toBe(0)
  const files = `--from ${join(outside, 'ids.txt')} --receipt ${join(outside, 'r.json')}`
  expect((await inRemovedFolder(`persons delete ${files} --yes`)).code).toBe(0)
})
