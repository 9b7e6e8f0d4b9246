/** In a working folder that was removed, relative names are refused, and nothing is read or written elsewhere. */
import { execFile } from 'node:child_process'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { needsPosix } from '../posix.ts'
import { bin, emptyHome, machine } from './program.ts'

needsPosix('a shell')

const outside = mkdtempSync(join(tmpdir(), 'analytics-outside-'))
writeFileSync(join(outside, 'ids.txt'), '1\n')

/** Runs the program in a folder that is gone. */
function inRemovedFolder(argv: readonly string[]): Promise<readonly [code: unknown, stderr: string]> {
  const home = emptyHome()
  const line = 'mkdir gone && cd gone && rmdir ../gone && exec "$@"'
  const env = { ...machine, HOME: home, ANALYTICS_SANDBOX: '1' }
  const words = ['-c', line, 'sh', process.execPath, bin, ...argv]
  return new Promise(resolve => {
    execFile('sh', words, { cwd: home, env }, (error, _, stderr) => resolve([error ? error.code : 0, stderr]))
  })
}

test.each([
  'persons delete --from ids.txt --yes',
  'persons delete --from ../../../../ids.txt --yes',
  'persons delete 1 --receipt receipt.json --yes',
  'persons delete 1 --backup before.ndjson --yes',
  'persons delete --from missing.txt --unmatched rest.csv --yes',
  'persons update 1 --set-json plan=@plan.json',
  'persons update 1 --body @body.json',
  'projects diff -f settings.yaml',
  'projects diff -f .',
  'sandbox load persons.ndjson',
  'jobs undo --last --backup before.ndjson --yes',
  'persons verify --receipt receipt.json',
])('%s exits with 2', async line => {
  const [code, stderr] = await inRemovedFolder(line.split(' '))
  expect([line, code, stderr]).toEqual([line, 2, expect.stringContaining('the working folder was removed')])
})

test('absolute names and commands without files work', async () => {
  expect(await inRemovedFolder(['persons', 'list', '--limit', '1', '-q'])).toEqual([0, expect.any(String)])
  const all = ['persons', 'delete', '--from', join(outside, 'ids.txt'), '--yes', '--receipt', join(outside, 'r.json')]
  expect(await inRemovedFolder(all)).toEqual([0, expect.any(String)])
})
