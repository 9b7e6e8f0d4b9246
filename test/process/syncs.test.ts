/** What is synced to the disk when a request is sent. */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { needsPosix } from '../posix.ts'
import { json, personRow, serve } from '../server.ts'
import { chaosFolder } from './chaos.ts'
import { start } from './program.ts'

needsPosix('syncs of folders')

test.runIf(process.platform === 'linux')(
  'a record is saved before its write, and the journal once a second',
  async () => {
    const server = await serve(async ({ path, method }, response) => {
      const id = Number(path.split('/')[5])
      if (method !== 'PATCH') return json(response, personRow(id))
      const backup = join(folder, 'before.ndjson')
      expect.soft(syncedSizes(folder, backup).at(-1)).toBe(statSync(backup).size)
      // Each line of the journal comes more than a second after the one before, by the clock of the program.
      const [job = ''] = readdirSync(join(folder, 'state/jobs'))
      const journal = join(folder, 'state/jobs', job, 'journal')
      if (id > 1) await expect.poll(() => syncedSizes(folder, journal).at(-1)).toBeGreaterThan(20)
      json(response, { ...personRow(id), properties: { plan: 'pro' } })
    })
    const { folder, env } = chaosFolder(server, ['1', '2', '3'])
    const hooks = ['syncs.cjs', 'quick-clock.cjs'].map(name => `--require ${join(import.meta.dirname, name)}`)
    const words = 'persons update --from ids --set plan=pro --backup before.ndjson --concurrency 1 --yes'.split(' ')
    const more = { NODE_OPTIONS: hooks.join(' '), SYNCS: join(folder, 'syncs') }
    expect(await start(words, { ...env, ...more }, undefined, folder).finished).toMatchObject({ code: 0 })
  },
)

/** The lengths of a file at each sync. */
function syncedSizes(folder: string, path: string): readonly number[] {
  const { ino } = statSync(path)
  const lines = readFileSync(join(folder, 'syncs'), 'utf8').trimEnd().split('\n')
  return lines.flatMap(line => {
    const synced = JSON.parse(line)
    return synced.ino === ino ? [synced.size] : []
  })
}
