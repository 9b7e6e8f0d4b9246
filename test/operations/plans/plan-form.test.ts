/** Which files are taken for a plan: as it was written, not too old, and of a form that is known. */
import { createHash } from 'node:crypto'
import { appendFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { startService } from '../../service.ts'
import { planningWorld } from './planning.ts'

const { run, file, later, exists } = planningWorld()
const text = () => readFileSync(file('p.json'), 'utf8')
/** The plan changed, with the digest of what it is then. */
const rewrite = (change: (text: string) => string) => writeFileSync(file('p.json'), digested(change(text())))

test('a plan has the digest of targets that its receipt has', async () => {
  const own = createHash('sha256').update('3\n4\n').digest('hex')
  await run('persons delete 3 4 --plan p.json')
  expect(JSON.parse(text())).toMatchObject({ targets_sha256: own })
  expect((await run('jobs run p.json --yes --receipt r.json')).code).toBe(0)
  expect(JSON.parse(readFileSync(file('r.json'), 'utf8'))).toMatchObject({ targets_sha256: own })
})

test('targets that do not fit their digest are refused, though that of the plan is right', async () => {
  await run('persons delete 3 4 --plan p.json')
  rewrite(plan => plan.replace('"4"', '"5"'))
  expect((await run('jobs run p.json --yes')).code).toBe(10)
})

test.each([
  ['that was changed', 10, () => writeFileSync(file('p.json'), text().replace('"4"', '"5"')), 'p.json'],
  ['with something behind it', 10, () => appendFileSync(file('p.json'), '\n'), 'p.json'],
  ['that is older than a week', 10, () => later(7 * 86_400_000 + 1), 'p.json'],
  ['that is older than --max-age', 10, () => later(3_600_001), 'p.json --max-age 1h'],
  ['that is older than the smallest --max-age', 10, () => later(3_600_001), 'p.json --max-age 1h --max-age 2h'],
  ['of a time to come', 10, () => later(-300_001), 'p.json'],
  ['of another project', 10, () => {}, 'p.json --project 2'],
  ['that is not there', 2, () => {}, 'q.json'],
])('a plan %s is refused', async (_, code, change, words) => {
  await run('persons delete 3 4 --plan p.json')
  change()
  expect((await run(`jobs run ${words} --yes`)).code).toBe(code)
  expect(await exists(3)).toBe(true)
})

test.each([
  ['without an operation', (text: string) => text.replace(/"operation": .*\n/, '')],
  ['whose operation is null', (text: string) => text.replace(/"operation": .*/, '"operation": null,')],
  ['with an operation of no known name', (text: string) => text.replace('persons delete', 'constructor')],
  ['of no time', (text: string) => text.replace(/"created_at": .*\n/, '')],
  ['whose targets are no texts', (text: string) => text.replace('"3"', '3')],
  ['whose reason is a number', (text: string) => text.replace('"reason": null', '"reason": 4711')],
  ['for whom is a list', (text: string) => text.replace('"requested_by": null', '"requested_by": ["x"]')],
  ['whose guard is a text', (text: string) => text.replace('"max_failures":null', '"max_failures":"x"')],
  ['whose canary is an object', (text: string) => text.replace('"canary":null', '"canary":{}')],
  ['of a later form', (text: string) => text.replace('"plan": 2', '"plan": 3')],
  ['that is no JSON', (text: string) => text.replace('"plan": 2', '"plan"')],
])('a plan %s is refused, though its digest is right', async (_, change) => {
  await run('persons delete 3 4 --plan p.json')
  rewrite(change)
  const { code, stderr } = await run('jobs run p.json --yes')
  expect([code, stderr]).toEqual([2, expect.stringContaining('was written by another version of analytics')])
})

test('whatever type a member of a plan has, its run is no fault of the program', async () => {
  const { world, run } = await startService()
  const file = (name: string) => join(world.folder, name)
  writeFileSync(file('rows.csv'), 'id,name\n1,Shop\n2,Other\n')
  writeFileSync(file('people.csv'), 'id,properties.plan\n1,pro\n2,free\n')
  await run('persons update 1 2 --set plan=pro --backup before.ndjson --yes')
  const [job = ''] = readdirSync(file('state/jobs'))
  const plans: string[] = []
  for (const line of [
    'persons delete 1 2 --delete-events --canary 1 --reason T-12 --requested-by ada --received 2026-05-01',
    'persons update 1 2 --set plan=pro',
    'persons update --rows people.csv',
    'persons update-property 1 2 --key plan --value pro',
    'persons delete-property 1 2 --key plan',
    'persons delete-property 1 2 --all-but email,note',
    'event-definitions update 1 2 --add-tag a --remove-tag b',
    'plugins delete 1 2',
    'projects update --rows rows.csv',
    'projects delete 1',
    `jobs undo ${job} --backup before.ndjson`,
  ]) {
    expect([line, (await run(`${line} --plan p.json`)).code]).toEqual([line, 0])
    plans.push(readFileSync(file('p.json'), 'utf8'))
  }
  const others = [null, 4711, 'x', '', true, [], ['x'], [4711], {}, { x: 'y' }, undefined]
  const changed = fc
    .constantFrom(...plans)
    .chain(text =>
      fc.tuple(fc.constant(text), fc.constantFrom(...placesIn(JSON.parse(text) as object)), fc.constantFrom(...others)),
    )
  await fc.assert(
    fc.asyncProperty(changed, async ([text, place, other]) => {
      const plan = JSON.parse(text) as Record<string, unknown>
      replace(plan, place, other)
      writeFileSync(file('p.json'), digested(printed(plan)))
      const { code, stderr } = await run('jobs run p.json --yes --receipt r.json')
      expect([code, stderr]).not.toEqual([1, expect.anything()])
    }),
    { numRuns: 150 },
  )
})

/** As `--plan` writes it. */
function printed({ targets, sha256, ...facts }: Record<string, unknown>): string {
  const lines = Object.entries(facts).map(([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)},\n`)
  return `{\n${lines.join('')}"targets": ${JSON.stringify(targets ?? null)},\n"sha256": "`
}

/** With the digest of what is there now. */
function digested(text: string): string {
  const [content = ''] = text.split('"sha256": "')
  return `${content}"sha256": "${createHash('sha256').update(content).digest('hex')}"\n}\n`
}

type Place = readonly string[]

/** The paths to all members. */
function placesIn(value: unknown, before: Place = []): Place[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, member]) => [[...before, name], ...placesIn(member, [...before, name])])
}

function replace(value: Record<string, unknown>, [name = '', ...rest]: Place, other: unknown): void {
  if (rest.length === 0) value[name] = other
  else replace(value[name] as Record<string, unknown>, rest, other)
}
