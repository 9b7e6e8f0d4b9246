/**
 * The real program, killed at random moments while it works on a real service that fails in every way, its journal cut
 * or full of holes as after a power loss, and resumed until it is done. `CHAOS=100` makes more rounds of it (`npm run chaos`), `CHAOS_SEED` plays one again.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { chaosFolder, chaosSeeds } from './chaos.ts'
import { type Faulty, sequence, startFaulty } from './faulty.ts'
import { type Finished, start } from './program.ts'

const servers: Faulty[] = []
afterEach(async () => {
  await Promise.all(servers.splice(0).map(server => server.close()))
})

const runs = {
  deletes: ['persons', 'delete'],
  'deletes with events': ['persons', 'delete', '--delete-events'],
  'property updates': ['persons', 'update-property', '--key', 'plan', '--value', 'pro'],
}

for (const seed of chaosSeeds(1)) {
  for (const [name, words] of Object.entries(runs)) {
    test(`${name} survive kill -9 on a faulty service (seed ${seed})`, () => survive(words, seed))
  }
}

async function survive(words: readonly string[], seed: number): Promise<void> {
  const random = sequence(seed)
  const ids = Array.from({ length: 60 + Math.floor(random() * 60) }, (_, i) => String(1000 + i))
  const server = await startFaulty([...ids, 'bystander'], random)
  servers.push(server)
  const { folder, env } = chaosFolder(server.url, ids)

  let argv = [...words, '--from', join(folder, 'ids'), '--yes', '-o', 'ndjson']
  let finished: Finished | undefined
  for (let life = 0; finished?.code !== 0; life++) {
    expect(life, `too many lives; the last one said ${finished?.stderr}`).toBeLessThan(30)
    const done = life === 0 ? new Set() : new Set(recorded(folder))
    const before = server.written.length
    const { child, finished: end } = start(argv, env)
    // A few lives are cut short, the others may live to their end.
    server.after(life < 4 ? 1 + Math.floor(random() * ids.length) : -1, () => child.kill('SIGKILL'))
    finished = await end
    if (finished.code === null && random() < 0.5) losePower(folder, server.written.slice(before), ids, random)
    // None that was recorded as done is sent again.
    expect(server.written.slice(before).filter(id => done.has(id))).toEqual([])
    const [job] = readdirSync(join(folder, 'state/jobs'))
    argv = ['jobs', 'resume', job ?? '', '-o', 'ndjson']
  }

  // Every target has exactly one outcome, and none is lost.
  const shown = await start(['jobs', 'show', argv[2] ?? '', '-o', 'ndjson'], env).finished
  const outcomes = shown.stdout
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line) as { id: string; status: string })
  expect(outcomes.map(({ id }) => id)).toEqual(ids)
  // What was sent again did no harm: the service is as it should be, and nobody else was touched.
  const wanted = words.includes('delete') ? ['deleted'] : ['updated']
  expect([...new Set(outcomes.map(({ status }) => status))]).toEqual(wanted)
  if (words.includes('delete')) expect([...server.persons.keys()]).toEqual(['bystander'])
  else expect(ids.filter(id => server.persons.get(id)?.plan !== 'pro')).toEqual([])
  if (words.includes('--delete-events')) expect([...server.queued].sort()).toEqual([...ids].sort())
  expect(server.persons.get('bystander')).toEqual({})
  // What would still have been to be sent is gone, now that all was.
  expect(readdirSync(join(folder, 'state/jobs', argv[2] ?? ''))).not.toContain('unsent.json')
}

/** Takes from the newest journal what no sync had to keep: it is cut, or blocks of it are NULs. */
function losePower(folder: string, sent: readonly string[], ids: readonly string[], random: () => number): void {
  const [job = ''] = readdirSync(join(folder, 'state/jobs'))
  const path = newestJournal(join(folder, 'state/jobs', job))
  const bytes = readFileSync(path)
  const lines = bytes.toString().split('\n')
  const last = Math.max(-1, ...sent.map(id => ids.indexOf(id)))
  // What announced the last request was on disk before it was sent.
  const until = lines.findIndex(line => last < Number(/^\["may-send",(\d+),/.exec(line)?.[1] ?? 0))
  const kept = lines.slice(0, until + 1).join('\n').length + 1
  const from = kept + Math.floor(random() * (bytes.length - kept))
  if (random() < 0.5) writeFileSync(path, bytes.subarray(0, from))
  else writeFileSync(path, bytes.fill(0, from, from + Math.floor(random() * (bytes.length - from))))
}

function newestJournal(job: string): string {
  const numbers = readdirSync(job).map(name => Number(/^journal\.(\d+)$/.exec(name)?.[1] ?? 1))
  const newest = Math.max(...numbers)
  return join(job, newest === 1 ? 'journal' : `journal.${newest}`)
}

/** Ids that the journal calls done. */
function recorded(folder: string): string[] {
  const [job = ''] = readdirSync(join(folder, 'state/jobs'))
  const targets = readFileSync(join(folder, 'state/jobs', job, 'targets'), 'utf8')
    .trimEnd()
    .split('\n')
  const journals = readdirSync(join(folder, 'state/jobs', job)).filter(name => name.startsWith('journal'))
  const lines = journals.flatMap(name => {
    const text = readFileSync(join(folder, 'state/jobs', job, name), 'utf8')
    // A line that lost its line feed to the power cut does not count.
    return text
      .split('\n')
      .slice(0, -1)
      .filter(line => /^\[[ -~]*\]$/.test(line))
  })
  return lines.flatMap(line => {
    const [what, target] = JSON.parse(line) as [string, number]
    return ['deleted', 'updated', 'gone'].includes(what) ? [targets[target] ?? ''] : []
  })
}
