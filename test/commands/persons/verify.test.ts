/** What `persons verify` finds for each outcome of a receipt, and what it says of a receipt that cannot be taken. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Receipt, ReceiptOutcome } from '../../../src/jobs/receipts/receipt.ts'
import { json } from '../../server.ts'
import { accepting, startService } from '../../service.ts'
import { newWorld, type World } from '../../world.ts'

const env = { ANALYTICS_SANDBOX: '1' }
const run = (world: World, line: string) => world.run(line.split(' '), { env })

function readFile(world: World): Receipt {
  return JSON.parse(readFileSync(join(world.folder, 'r.json'), 'utf8'))
}

/** Of two persons who are gone. `edit` changes the receipt before it is verified. */
async function verify(line: string, edit: (receipt: Receipt) => object, verifying = '') {
  const world = newWorld()
  await run(world, `persons delete 3 4 --receipt r.json --yes${line}`)
  const receipt = readFile(world)
  writeFileSync(join(world.folder, 'r.json'), JSON.stringify({ ...receipt, ...edit(receipt) }))
  return run(world, `persons verify --receipt r.json${verifying}`)
}

/** With another outcome of the second person, and the counts that fit. */
function ending(outcome: Partial<ReceiptOutcome>) {
  return ({ outcomes: [first, second] }: Receipt) => {
    const outcomes = [first, { ...second, ...outcome }]
    const counts = { deleted: 0, updated: 0, gone: 0, failed: 0, left: 0 }
    for (const one of outcomes) counts[one?.status ?? 'left']++
    return { outcomes, counts, complete: counts.left === 0 }
  }
}

function failed(name: string, status: number | null, code: string | null = null) {
  return { status: 'failed', error: { name, status, code, message: 'Failed' } } as Partial<ReceiptOutcome>
}

const deletedEvents = ' --delete-events'
const [gone, unqueued, unattempted] = ['gone', 'events-not-queued', 'not-attempted']

test.each([
  ['deleted', {}, gone, gone],
  ['deleted, by what a lost answer shows', { evidence: 'inferred' }, gone, gone],
  ['refused', failed('rejected', 400, 'locked'), unqueued, gone],
  ['refused for the key', failed('auth', 403), unqueued, gone],
  ['not there', failed('not-found', 404, 'events-not-queued'), unqueued, gone],
  ['failed without an answer', { ...failed('unavailable', null), evidence: null }, unqueued, gone],
  ['failed with an answer that does not count', failed('unavailable', 503), unqueued, gone],
  ['answered by something else', failed('rejected', 200, 'not-the-service'), unqueued, gone],
  ['accepted, and there at the second look', failed('rejected', null, 'still-there'), gone, gone],
  ['failed, nobody knows why', { status: 'failed', error: null }, unqueued, gone],
  ['failed, and the error was taken out', { status: 'failed', error: undefined }, unqueued, gone],
  ['gone', { status: 'gone' }, unqueued, gone],
  ['left', { status: 'left', evidence: null, at: null }, unattempted, gone],
] as const)('a person who is gone, and was %s', async (_, outcome, withEvents, without) => {
  for (const [options, status] of [
    [deletedEvents, withEvents],
    ['', without],
  ]) {
    const { code, stdout } = await verify(options ?? '', ending(outcome as Partial<ReceiptOutcome>), ' -o json')
    expect(JSON.parse(stdout)[1], options).toEqual({ id: '4', status })
    expect(code, options).toBe(status === 'gone' && !('at' in outcome) ? 0 : 8)
  }
})

test('a person whom the service refused to delete, and somebody else deleted since, leaves events', async () => {
  let deleted = false
  const { run } = await startService((asked, response) => {
    const isOther = asked.path.endsWith('/4/')
    if (isOther && asked.method === 'DELETE') return json(response, { code: 'locked', detail: 'Locked' }, 400)
    if (deleted && /\/[34]\/$/.test(asked.path)) return json(response, { detail: 'Not found.' }, 404)
    accepting(asked, response)
  })
  const deletion = 'persons delete 3 4 --delete-events --receipt r.json --yes'
  expect((await run(deletion)).code).toBe(8)
  deleted = true
  const { code, stderr } = await run('persons verify --receipt r.json')
  expect(code).toBe(8)
  expect(stderr).toContain('1 of 2 is gone with their events queued. 1 gone, their events not queued')
  expect(stderr).toContain('The service queues no events of a person who is gone')
})

test('of those who are gone it says whose events were queued', async () => {
  const world = newWorld()
  expect((await run(world, 'persons delete 999 --delete-events --receipt r.json --yes')).code).toBe(3)
  const { code, stderr } = await run(world, 'persons verify --receipt r.json')
  expect([code, stderr]).toEqual([8, expect.stringContaining('0 of 1 are gone with their events queued. 1 gone')])
})

const resume = 'Go on with analytics jobs resume 20260515-120000-i000'
const again = 'Write it again with analytics jobs receipt 20260515-120000-i000 > FILE'

test.each([
  ['one without an outcome', ({ outcomes }: Receipt) => ({ outcomes: outcomes.slice(1) }), 'was changed', again],
  [
    'one of more than was counted',
    ({ counts }: Receipt) => ({ counts: { ...counts, deleted: 1 } }),
    'was changed',
    again,
  ],
  [
    'one with a count of something else',
    ({ counts }: Receipt) => ({ counts: { ...counts, erased: 1 } }),
    'was changed',
    again,
  ],
  ['one whose counts were taken out', () => ({ counts: null }) as object, 'was changed', again],
  ['an unknown status', ending({ status: 'erased' as 'deleted' }), 'was changed', again],
  ['one that was stopped', ending({ status: 'left' }), 'is not complete', resume],
  ['one that only says that it is', () => ({ complete: 'false' }), 'is not complete', resume],
  ['one that does not say', () => ({ complete: undefined }), 'is not complete', resume],
] as const)('%s is not taken, and the hint says what to do', async (_, edit, why, hint) => {
  const { code, stderr } = await verify('', edit)
  expect([code, stderr]).toEqual([8, expect.stringContaining(`The receipt ${why}`)])
  expect(stderr).toContain(hint)
})

test('that a receipt was changed is said also where somebody is still there', async () => {
  const more = { id: '5', status: 'deleted', error: null, evidence: 'answered', at: null } as const
  const { code, stderr } = await verify('', ({ outcomes }) => ({ outcomes: [...outcomes, more] }))
  expect([code, stderr]).toEqual([
    8,
    expect.stringContaining('2 of 3 are gone. 1 still there. The receipt was changed'),
  ])
})

test('a receipt that somebody laid out anew is read, one of another version is said to be that', async () => {
  const world = newWorld()
  await run(world, 'persons delete 3 --receipt r.json --yes')
  const path = join(world.folder, 'r.json')
  const receipt = JSON.parse(readFileSync(path, 'utf8'))
  writeFileSync(path, JSON.stringify(receipt))
  expect((await run(world, 'persons verify --receipt r.json')).code).toBe(0)
  writeFileSync(path, JSON.stringify({ ...receipt, receipt: 3 }))
  const { code, stderr } = await run(world, 'persons verify --receipt r.json')
  expect([code, stderr]).toEqual([2, expect.stringContaining('was written by another version of analytics')])
})
