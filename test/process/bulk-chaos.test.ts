/**
 * The real program, killed at random moments while it works on a real service that fails in every way, its journal cut
 * or full of holes as after a power loss, and resumed until it is done. `CHAOS=100` makes more rounds of it (`npm run chaos`), `CHAOS_SEED` plays one again.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import type { Receipt } from '../../src/jobs/receipts/receipt.ts'
import { chaosFolder, chaosSeeds } from './chaos.ts'
import { type Faulty, sequence, startFaulty } from './faulty.ts'
import { type Finished, start } from './program.ts'

const servers: Faulty[] = []
afterEach(async () => {
  await Promise.all(servers.splice(0).map(server => server.close()))
})

const runs = {
  deletes: ['persons', 'delete'],
  'deletes in batches': ['persons', 'delete', '--batch', '8'],
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
  const ids = Array.from({ length: 60 + Math.floor(random() * 60) }, (_, i) => idOf(words, 1000 + i))
  // Whether the events of somebody were queued whose deletion was sent twice cannot be known.
  const server = await startFaulty([...ids, 'bystander'], random, { repeats: !words.includes('--delete-events') })
  servers.push(server)
  const { folder, env } = chaosFolder(server.url, ids)

  const receipt = join(folder, 'receipt.json')
  let argv = [...words, '--from', join(folder, 'ids'), '--yes', '--receipt', receipt, '-o', 'ndjson']
  let finished: Finished | undefined
  const cutShort = new Set<string>()
  for (let life = 0; finished?.code !== 0; life++) {
    expect(life, `too many lives; the last one said ${finished?.stderr}`).toBeLessThan(60)
    const done = life === 0 ? new Set() : new Set(recorded(folder))
    const before = server.written.length
    const { child, finished: end } = start(argv, env)
    // A few lives are cut short, the others may live to their end.
    server.after(life < 4 ? 1 + Math.floor((random() * ids.length) / targetsEach(words)) : -1, () =>
      child.kill('SIGKILL'),
    )
    finished = await end
    if (finished.code === null && random() < 0.5) losePower(folder, server.written.slice(before), ids, random)
    if (finished.code === null) for (const id of server.written.slice(before)) cutShort.add(id)
    if (existsSync(receipt)) isTrue(receipt, words, server, cutShort)
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
  const wanted = words.includes('delete') ? ['deleted', 'gone'] : ['updated']
  expect(wanted).toEqual(expect.arrayContaining([...new Set(outcomes.map(({ status }) => status))]))
  if (words.includes('delete')) expect([...server.persons.keys()]).toEqual(['bystander'])
  else expect(ids.filter(id => server.persons.get(id)?.plan !== 'pro')).toEqual([])
  if (words.includes('--delete-events')) expect([...server.queued].sort()).toEqual([...ids].sort())
  expect(server.persons.get('bystander')).toEqual({})
  // What would still have been to be sent is gone, now that all was.
  expect(readdirSync(join(folder, 'state/jobs', argv[2] ?? ''))).not.toContain('unsent.json')
}

function idOf(words: readonly string[], number: number): string {
  return words.includes('--batch') ? `00000000-0000-4000-8000-${String(number).padStart(12, '0')}` : String(number)
}

/** How many targets most requests have. */
function targetsEach(words: readonly string[]): number {
  return words.includes('--batch') ? 2 : 1
}

/**
 * What the receipt calls done is done, after every life. A target that failed may be done since if a life that was killed
 * has sent it again: it stays failed until a resume has an answer.
 */
function isTrue(receipt: string, words: readonly string[], { persons }: Faulty, cutShort: ReadonlySet<string>): void {
  const { outcomes } = JSON.parse(readFileSync(receipt, 'utf8')) as Receipt
  for (const { id, status } of outcomes) {
    if (status === 'deleted' || status === 'gone') expect([id, persons.has(id)]).toEqual([id, false])
    if (status === 'updated') expect([id, persons.get(id)?.plan]).toEqual([id, 'pro'])
    if (status === 'failed' && !cutShort.has(id))
      expect([id, words.includes('delete') && !persons.has(id)]).toEqual([id, false])
  }
}

/** Takes from the newest journal what no sync had to keep: it is cut, or blocks of it are NULs. */
function losePower(folder: string, sent: readonly string[], ids: readonly string[], random: () => number): void {
  const [job = ''] = readdirSync(join(folder, 'state/jobs'))
  const path = newestJournal(join(folder, 'state/jobs', job))
  const bytes = readFileSync(path)
  const lines = bytes.toString().split('\n')
  // What announced each target that was sent was on disk before, and so was the line that begins the journal.
  const announced = sent.map(id => {
    const target = ids.indexOf(id)
    const again = lines.findIndex(line => line.startsWith(`["sent",${target},`))
    return again >= 0 ? again : lines.findIndex(line => target < Number(/^\["may-send",(\d+),/.exec(line)?.[1] ?? 0))
  })
  const kept = lines.slice(0, Math.max(0, ...announced) + 1).join('\n').length + 1
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
