/** A person who is named by number and by UUID is one target. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { emptyPage, isList, json, notFound, personId, personRow } from '../server.ts'
import { startService } from '../service.ts'
import { newWorld } from '../world.ts'

async function begin() {
  const world = newWorld()
  const run = (line: string, options: object = {}) => world.run([...line.split(' '), '--sandbox'], options)
  const uuidOf = async (id: number) => JSON.parse((await run(`persons get ${id} -o json`)).stdout).uuid
  const targets = () =>
    JSON.parse(readFileSync(join(world.folder, 'r.json'), 'utf8')).outcomes.map(({ id }: { id: string }) => id)
  return { run, uuids: [await uuidOf(3), await uuidOf(4)] as const, targets }
}

test.each([
  ['arguments', (ids: string) => [`persons delete ${ids.replaceAll('\n', ' ').trim()}`, '']],
  ['a list', (ids: string) => ['persons delete --from -', ids]],
] as const)('as %s, under the form that came first', async (_, line) => {
  for (const [order, kept] of [
    [
      ['3', 0, '4'],
      ['3', '4'],
    ],
    [
      [0, '3', '4', 1],
      [0, '4'],
    ],
    [
      ['999999', 1, '4', '5'],
      ['999999', 1, '5'],
    ],
  ] as const) {
    const { run, uuids, targets } = await begin()
    const named = (id: string | number) => (typeof id === 'number' ? (uuids[id] ?? '') : id)
    const [command, stdin] = line(order.map(id => `${named(id).toUpperCase()}\n`).join(''))
    const { code, stderr } = await run(`${command} --expect ${kept.length} --yes --receipt r.json`, { stdin })
    expect([code, stderr]).toEqual([0, expect.stringContaining(`Deleting ${kept.length} persons`)])
    expect(targets().map((id: string) => id.toLowerCase())).toEqual(kept.map(named))
  }
})

test('the limits count persons', async () => {
  const { run, uuids } = await begin()
  expect((await run(`persons delete 3 ${uuids[0]} --yes --expect 2`)).code).toBe(10)
  expect((await run(`persons delete 3 ${uuids[0]} --yes --max 1`)).code).toBe(0)
})

test('two rows for one person are refused before anything is sent', async () => {
  const { run, uuids } = await begin()
  const row = (id: string) => `${JSON.stringify({ id, properties: { plan: 'vip' } })}\n`
  const { code, stderr } = await run('persons update --rows - --yes', { stdin: row('5') + row('3') + row(uuids[0]) })
  expect([code, stderr]).toEqual([2, expect.stringContaining('line 3 names the person of line 2')])
  expect((await run('persons get 5 -o json')).stdout).not.toContain('vip')
})

test('nobody is read where all are named in one form', async () => {
  const { run, uuids } = await begin()
  for (const ids of ['3 4', uuids.join(' ')]) {
    const { stderr } = await run(`persons update ${ids} --set plan=vip --yes --debug`)
    expect(stderr.match(/GET .*persons\/[^/ ]+\/ /g)).toBeNull()
  }
})

test('who was read for that is known to have been there when a proxy sends the DELETE twice', async () => {
  const gone = new Set<number>()
  const { run, receipt } = await startService((asked, response) => {
    const id = personId(asked.path)
    if (isList(asked)) return emptyPage(response)
    if (gone.has(id) || asked.path.includes(personRow(4).uuid as string)) return notFound(response)
    if (asked.method === 'GET') return json(response, personRow(id))
    gone.add(id)
    notFound(response)
  })
  expect((await run(`persons delete 3 ${personRow(4).uuid} --yes --receipt r.json`)).code).toBe(0)
  expect(receipt().outcomes).toMatchObject([{ status: 'deleted', evidence: 'inferred' }, { status: 'gone' }])
})

test('a 404 that is not of the service does not make a number one that nobody has', async () => {
  const { run, sent } = await startService((_, response) => json(response, { message: 'no route' }, 404))
  expect((await run(`persons delete 3 ${personRow(3).uuid} --yes`)).code).toBe(5)
  expect(sent()).toEqual([])
})
