/**
 * The real program is killed at random moments and resumed until it is done. The service fails in every way, and journals
 * are cut or damaged as after a power loss. The receipt of every process is compared with the service. `CHAOS=100` runs
 * more rounds (`npm run chaos`); `CHAOS_SEED` repeats one.
 */
import { chmodSync, cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { receiptOf } from '../../src/jobs/receipt.ts'
import { filesIn } from '../files-in.ts'
import { uuidOf } from '../model-service.ts'
import { chaosFolder, chaosSeeds } from './chaos.ts'
import { type Faulty, type Manner, type Person, sequence, startFaulty } from './faulty.ts'
import { type Env, start } from './program.ts'

interface Kind {
  readonly words: readonly string[]
  readonly manner?: Manner
  /** Named by UUID. */
  readonly uuids?: boolean
  readonly from?: '--emails-from' | '--distinct-ids-from'
  /** One id is the distinct id of another person. */
  readonly stranger?: boolean
  /** Each fifth person does not exist. */
  readonly absent?: boolean
  /** Each resume is on another machine, with a copy of the state folder. */
  readonly moves?: boolean
}

const batch = ['persons', 'delete', '--batch', '8']
const backup = ['--backup', 'before.ndjson']
const poisoned = [uuidOf(1003), uuidOf(1031)]

const kinds: Readonly<Record<string, Kind>> = {
  deletions: { words: ['persons', 'delete'], manner: { repeats: true } },
  'deletions in batches': { words: batch, uuids: true, manner: { repeats: true, poisoned } },
  'deletions in batches, with events': { words: [...batch, '--delete-events'], uuids: true, manner: { poisoned } },
  'deletions with events and a backup, of persons who partly do not exist': {
    words: ['persons', 'delete', '--delete-events', ...backup],
    absent: true,
  },
  'deletions by distinct id, on one machine after the other': {
    words: ['persons', 'delete'],
    from: '--distinct-ids-from',
    moves: true,
  },
  'deletions by email, of persons who are merged': {
    words: ['persons', 'delete'],
    from: '--emails-from',
    manner: { merges: true },
  },
  'deletions with a distinct id among the ids': { words: ['persons', 'delete'], uuids: true, stranger: true },
  'updates of a property': { words: ['persons', 'update-property', '--key', 'plan', '--value', 'pro'] },
  'updates that are undone': { words: ['persons', 'update', '--set', 'plan=pro', '--set', 'note=x', ...backup] },
}

const cases = chaosSeeds(1).flatMap(seed => Object.keys(kinds).map(name => [name, seed] as const))

test.each(cases)('%s survive kill -9 on a faulty service (seed %i)', async (name, seed) => {
  const kind = kinds[name] ?? { words: [] }
  const random = sequence(seed)
  const ids = Array.from({ length: 12 + Math.floor(random() * 20) }, (_, i) =>
    kind.uuids ? uuidOf(1000 + i) : String(1000 + i),
  )
  const strange = kind.stranger ? (ids[Math.floor(random() * ids.length)] ?? '') : ''
  const bystander = { distinct_ids: [strange], properties: {} }
  const there = new Map<string, Person>([['bystander', bystander]])
  for (const [i, id] of ids.entries()) {
    if (id !== strange && !(kind.absent && i % 5 === 0)) there.set(id, personOf(id))
  }
  const server = await startFaulty(there, random, kind.manner)
  onTestFinished(() => server.close())
  const names = {
    '--from': ids,
    '--emails-from': ids.map(id => String(personOf(id).properties.email)),
    '--distinct-ids-from': ids.map(id => `d${id}`),
  }
  const from = kind.from ?? '--from'
  const { folder, env } = chaosFolder(server, names[from])
  const round = { server, folder, env, random, ids, state: join(folder, 'state'), moves: kind.moves }

  const end = await survive(round, [...kind.words, from, 'ids', '--yes', '--receipt', 'receipt.json'])
  expect(end, 'how it ends').toBe(kind.stranger ? 10 : 0)
  if (kind.from) {
    const { input } = JSON.parse(readFileSync(join(folder, 'receipt.json'), 'utf8'))
    expect(input).toMatchObject({ lines: ids.length, matched: ids.length, unmatched: [] })
    // Values that may still be sent are kept.
    if (!isFoundAgain(folder)) expect(namesIn(round, names[from])).toEqual([])
  }
  // No other person was changed.
  expect(server.model.find('persons', 'bystander')).toMatchObject(bystander)
  expect(ids).toEqual(expect.arrayContaining([...new Set(server.written)]))
  if (kind.words.includes('delete') && !kind.stranger) {
    expect(ids.filter(id => server.model.find('persons', id))).toEqual([])
  }
  if (kind.words.includes('before.ndjson')) isSaved({ ...round, ids: ids.filter(id => there.has(id)) })
  if (name !== 'updates that are undone') return
  const [job = ''] = jobsIn(round.state)
  expect(await survive(round, ['jobs', 'undo', job, '--yes', '--receipt', 'receipt.json'])).toBe(0)
  for (const [id, person] of there) expect(server.model.find('persons', id)).toMatchObject(person)
  expect(server.model.left()).toEqual([...there.keys()])
})

function personOf(id: string): Person {
  const properties = { email: `p${id}@example.com`, ...(Number(id.at(-1)) % 3 === 0 ? {} : { plan: 'trial' }) }
  return { distinct_ids: [`d${id}`], properties }
}

interface Round {
  readonly server: Faulty
  readonly folder: string
  readonly env: Env
  readonly random: () => number
  readonly ids: readonly string[]
  readonly moves: boolean | undefined
  /** The state folder of the machine in use. */
  state: string
}

/** Runs and resumes it until nothing is left to try. Returns 0, or 10 if ids turn out to be distinct ids. */
async function survive(round: Round, words: readonly string[]): Promise<number> {
  const { server, folder, env, random, ids } = round
  const receipt = join(folder, 'receipt.json')
  const earlier = jobsIn(round.state)
  const isBatch = words.includes('--batch')
  let argv = words
  for (let life = 0; ; life++) {
    expect(life, 'too many lives').toBeLessThan(60)
    // A lookup may fail before there is a job.
    if (round.moves && existsSync(round.state)) move(round, life)
    const [job] = jobsIn(round.state).filter(name => !earlier.includes(name))
    if (job !== undefined) argv = ['jobs', 'resume', job, '--receipt', 'receipt.json']
    const done = job === undefined ? [] : recorded(join(round.state, 'jobs', job))
    const before = server.written.length
    const { child, finished } = start(argv, { ...env, ANALYTICS_STATE_DIR: round.state }, undefined, folder)
    // Only the first three processes are killed.
    const writes = life < 3 ? 1 + Math.floor((random() * ids.length) / (isBatch ? 2 : 1)) : -1
    server.after(writes, () => child.kill('SIGKILL'))
    const { code, stderr } = await finished
    expect([1, 2, 4], stderr).not.toContain(code)
    if (existsSync(receipt)) isTrue(readReceipt(receipt), words, server)
    // None that was recorded as done is sent again.
    expect(server.written.slice(before).filter(id => done.includes(id))).toEqual([])
    if (code === null && random() < 0.5) losePower(round.state, random)
    if (code === 10) return 10
    if (code === 0 || (code === 8 && isOver(readReceipt(receipt)))) {
      // The values are erased when nothing is left to send.
      if (!isFoundAgain(folder)) {
        const [last = ''] = jobsIn(round.state).filter(name => !earlier.includes(name))
        expect(readdirSync(join(round.state, 'jobs', last))).not.toContain('values.json')
      }
      expect(
        readReceipt(receipt)
          .map(({ id }) => id)
          .sort(),
      ).toEqual([...ids].sort())
      return 0
    }
  }
}

/** Continues on another machine. Archives and artifacts keep no modes. */
function move(round: Round, life: number): void {
  const state = join(round.folder, `state-${life}`)
  cpSync(round.state, state, { recursive: true })
  for (const path of readdirSync(state, { recursive: true, encoding: 'utf8' })) chmodSync(join(state, path), 0o755)
  round.state = state
}

/** Names of targets in the state folder or the receipt. */
function namesIn({ folder, state }: Round, names: readonly string[]): readonly string[] {
  const paths = [...filesIn(state), join(folder, 'receipt.json')]
  return paths.flatMap(path => names.filter(name => readFileSync(path, 'latin1').includes(`"${name}"`)))
}

function jobsIn(state: string): readonly string[] {
  return existsSync(join(state, 'jobs')) ? readdirSync(join(state, 'jobs')).sort() : []
}

type Outcomes = readonly (ReturnType<typeof receiptOf>['outcomes'] extends Iterable<infer One> ? One : never)[]

function readReceipt(path: string): Outcomes {
  return JSON.parse(readFileSync(path, 'utf8')).outcomes
}

/** Whether a target failed that a resume may send again. */
function isFoundAgain(folder: string): boolean {
  return readReceipt(join(folder, 'receipt.json')).some(({ error }) => error === 'found-again')
}

const finals: readonly unknown[] = ['events-unknown', 'found-again']

function isOver(outcomes: Outcomes): boolean {
  return outcomes.every(({ status, error }) => status !== 'left' && (status !== 'failed' || finals.includes(error)))
}

/** The receipt agrees with the service, and claims a response only if there was one. */
function isTrue(outcomes: Outcomes, words: readonly string[], server: Faulty): void {
  const { model, answered, written, merged } = server
  for (const { id, status, error, evidence } of outcomes) {
    const person = model.find('persons', id)
    const isThere = person !== undefined
    if (status === 'deleted' || status === 'gone' || finals.includes(error))
      expect([id, status, isThere]).toEqual([id, status, false])
    if (error === 'found-again') expect(merged).toContain(id)
    if (status === 'gone') expect(words).not.toContain('--delete-events')
    if (status === 'deleted' && evidence === 'inferred') expect(written).toContain(id)
    else if (status === 'deleted' || status === 'updated') expect(answered).toContain(id)
    if (status === 'updated' && words.includes('pro')) expect(person?.properties).toMatchObject({ plan: 'pro' })
  }
}

/** The backup has each record as it was before the first write. */
function isSaved({ folder, ids }: Round): void {
  const lines = readFileSync(join(folder, 'before.ndjson'), 'utf8').trimEnd().split('\n')
  const saved = new Map<string, unknown>()
  for (const line of lines) {
    const { id, before } = JSON.parse(line)
    if (!saved.has(id)) saved.set(id, before.properties)
  }
  for (const id of ids) expect(saved.get(id)).toEqual(personOf(id).properties)
}

/** Cuts the end of the newest journal, or overwrites a part of it with NULs. */
function losePower(state: string, random: () => number): void {
  const job = jobsIn(state).at(-1)
  if (job === undefined) return
  const path = join(state, 'jobs', job, 'journal')
  const bytes = readFileSync(path)
  const from = bytes.length - Math.floor(random() * Math.min(bytes.length, 2000))
  if (random() < 0.5) writeFileSync(path, bytes.subarray(0, from))
  else writeFileSync(path, bytes.fill(0, from, from + Math.floor(random() * (bytes.length - from))))
}

/** Ids that the journal calls done. A line without a line feed does not count. */
function recorded(job: string): readonly string[] {
  const targets = readFileSync(join(job, 'targets'), 'utf8').trimEnd().split('\n')
  const lines = readFileSync(join(job, 'journal'), 'utf8').split('\n').slice(0, -1)
  return lines.flatMap(line => {
    if (!/^\[[ -~]*\]$/.test(line)) return []
    const [what, target] = JSON.parse(line)
    return ['deleted', 'updated', 'gone'].includes(what) ? [targets[target] ?? ''] : []
  })
}
