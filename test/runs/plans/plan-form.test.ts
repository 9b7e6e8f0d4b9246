/** Which files are taken for a plan: as it was written, not too old, and of a form that is known. */
import { createHash } from 'node:crypto'
import { appendFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import * as fc from '../../fast-check.ts'
import { startService } from '../../service.ts'
import { planningWorld } from './planning.ts'

const { run, file, later, exists } = planningWorld()
const text = () => readFileSync(file('p.json'), 'utf8')
/** The plan changed, with the digest of what it is then. */
const rewrite = (change: (text: string) => string) => writeFileSync(file('p.json'), digested(change(text())))

test('a plan begins with the command, the place, the selection and the count', async () => {
  await run('persons delete --property plan=free --where properties.name~a --plan p.json')
  const { targets } = JSON.parse(text()) as { targets: string[] }
  expect(text()).toMatch(
    `{
"command": "persons delete",
"base_url": "http://sandbox.invalid/",
"path": {"project_id":"1"},
"selection": "plan is \\"free\\", properties.name contains \\"a\\"",
"count": ${targets.length},
"plan": 2,
`,
  )
  writeFileSync(file('ids.txt'), '3\n4\n')
  for (const [words, selection] of [
    ['delete 3 4', 'ids'],
    ['delete --from ids.txt', '--from ids.txt'],
    ['update --all --set a=b', 'all that the service lists'],
  ]) {
    await run(`persons ${words} --plan p.json`)
    expect(JSON.parse(text())).toMatchObject({ selection })
  }
})

test('a plan has the digest of targets that its receipt has', async () => {
  await run('persons delete 3 4 --plan p.json')
  expect((await run('jobs run p.json --yes --receipt r.json')).code).toBe(0)
  const own = createHash('sha256').update('3\n4\n').digest('hex')
  for (const text of ['p.json', 'r.json'].map(name => readFileSync(file(name), 'utf8'))) {
    expect(JSON.parse(text)).toMatchObject({ targets_sha256: own })
  }
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

const targets = '"targets": [\n  "3",\n  "4"\n],\n'

test.each([
  ['without a command', (text: string) => text.replace(/"command": .*\n/, '')],
  ['whose values are null', (text: string) => text.replace(/"values": .*/, '"values": null,')],
  ['with values of another operation', (text: string) => text.replace('{"deleteEvents":false}', '{"body":{}}')],
  ['with an operation of no known name', (text: string) => text.replace('persons delete', 'constructor')],
  ['of no time', (text: string) => text.replace(/"created_at": .*\n/, '')],
  ['of a time in another form', (text: string) => text.replace('12:00:00.000Z', '12:00:00Z')],
  ['whose targets are no texts', (text: string) => text.replace('"3"', '3')],
  ['whose reason is a number', (text: string) => text.replace('"reason": null', '"reason": 4711')],
  ['for whom is a list', (text: string) => text.replace('"requested_by": null', '"requested_by": ["x"]')],
  ['whose guard is a text', (text: string) => text.replace('"max_failures":null', '"max_failures":"x"')],
  ['whose canary is an object', (text: string) => text.replace('"canary":null', '"canary":{}')],
  ['whose canary is written otherwise', (text: string) => text.replace('"canary":null', '"canary":1.0')],
  ['of no version', (text: string) => text.replace('"plan": 2,\n', '')],
  ['that is no JSON', (text: string) => text.replace('"plan": 2', '"plan"')],
  ['with another target', (text: string) => text.replace('"4"', '"5"')],
  ['with another count', (text: string) => text.replace('"count": 2', '"count": 1')],
  ['with a target twice', (text: string) => refit(text.replace('"4"', '"3"'), ['3', '3'])],
  ['with what is no id', (text: string) => refit(text.replace('"4"', '".."'), ['3', '..'])],
  ['with an unknown member', (text: string) => text.replace(targets, `${targets}"note": "",\n`)],
  ['with an unknown value', (text: string) => text.replace('{"deleteEvents"', '{"dryRun":true,"deleteEvents"')],
  [
    'with other targets far below',
    (text: string) => text.replace(targets, `${targets}${'\n'.repeat(500)}"targets": ["5"],\n`),
  ],
  [
    'with other targets spelled with an escape',
    (text: string) => text.replace(targets, `${targets}"t\\u0061rgets": ["5"],\n`),
  ],
  ['with targets behind 300 blanks', (text: string) => text.replace('"4"', `"4",${' '.repeat(300)}"5"`)],
  ['with its members in another order', (text: string) => text.replace(/("reason": .*\n)(.*\n)/, '$2$1')],
  ['with guards in another order', (text: string) => text.replace(/("canary":null),("max_failures":null)/, '$2,$1')],
  ['with an escape', (text: string) => text.replace('persons delete', 'persons d\\u0065lete')],
  ['with a byte order mark', (text: string) => `\ufeff${text}`],
  ['with the line ends of Windows', (text: string) => text.replaceAll('\n', '\r\n')],
])('a plan %s is refused, though its digest is right', async (_, change) => {
  await run('persons delete 3 4 --plan p.json')
  const before = text()
  rewrite(change)
  expect(text()).not.toBe(before)
  const { code, stderr } = await run('jobs run p.json --yes')
  expect([code, stderr]).toEqual([10, expect.stringContaining('is not byte for byte a plan as analytics writes it')])
  expect(await exists(3)).toBe(true)
})

/** With the digest of these targets. */
function refit(text: string, ids: readonly string[]): string {
  const digest = createHash('sha256')
    .update(ids.map(id => `${id}\n`).join(''))
    .digest('hex')
  return text.replace(/(?<="targets_sha256": ")[0-9a-f]+/, digest)
}

test.each([
  ['later', (text: string) => text.replace('"plan": 2', '"plan": 3')],
  ['second edition', () => secondEdition],
])('a plan of the %s is said to be of another version', async (_, change) => {
  await run('persons delete 3 4 --plan p.json')
  rewrite(change)
  const { code, stderr } = await run('jobs run p.json --yes')
  expect([code, stderr]).toEqual([2, expect.stringContaining('was written by another version of analytics')])
  expect(await exists(3)).toBe(true)
})

const secondEdition = `{
"plan": 1,
"tool": "analytics 0.2.0",
"created_at": "2026-05-15T12:00:00.000Z",
"by": {"machine":"ci","ci":null,"user":"ada","run":null},
"profile": null,
"base_url": "http://sandbox.invalid/",
"operation": {"command":"persons delete","path":{"project_id":"1"},"values":{"deleteEvents":false}},
"guards": {"canary":null,"max_failures":null},
"reason": null,
"requested_by": null,
"request_received_at": null,
"input": null,
"targets_sha256": "${createHash('sha256').update('3\n4\n').digest('hex')}",
"targets": [
  "3",
  "4"
],
"sha256": "`

test('no plan runs that is other than it was written: a byte, blanks, a line twice or missing', async () => {
  const { world, run, sent } = await startService()
  const path = join(world.folder, 'p.json')
  await run('persons delete 1 2 3 --delete-events --max-failures 2 --reason T-12 --plan p.json')
  const written = readFileSync(path, 'utf8')
  const lines = written.split(/(?<=\n)/)
  const place = fc.nat({ max: written.length - 1 })
  const line = fc.nat({ max: lines.length - 1 })
  // A place outside of texts, where JSON means the same with blanks.
  const gaps = [...written.replaceAll(/"(?:[^"\\]|\\.)*"/g, text => 'x'.repeat(text.length)).matchAll(/[[\]{},:\n]/g)]
  const changed = fc.oneof(
    fc.tuple(place, fc.integer({ min: 1, max: 255 })).map(([at, by]) => {
      const bytes = Buffer.from(written)
      bytes[at] = ((bytes[at] ?? 0) + by) % 256
      return bytes
    }),
    fc.tuple(place, place).map(([from, to]) => written.slice(0, from) + written.slice(to)),
    fc
      .tuple(fc.constantFrom(...gaps.map(({ index }) => index)), fc.constantFrom(' ', '\n', '\t', ' '.repeat(300)))
      .map(([at, blanks]) => digested(written.slice(0, at) + blanks + written.slice(at))),
    fc.tuple(line, line).map(([from, to]) => digested(lines.toSpliced(to, 0, lines[from] ?? '').join(''))),
    line.map(at => digested(lines.toSpliced(at, 1).join(''))),
  )
  await fc.assert(
    fc.asyncProperty(changed, async plan => {
      fc.pre(String(plan) !== written)
      writeFileSync(path, plan)
      const { code, stderr } = await run('jobs run p.json --yes')
      expect([[2, 10].includes(code), code, stderr]).toEqual([true, code, stderr])
      expect(sent()).toEqual([])
    }),
    { numRuns: 200 },
  )
  writeFileSync(path, written)
  expect((await run('jobs run p.json --yes')).code).toBe(0)
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
    expect(await run('jobs run p.json --dry-run')).toMatchObject({ code: 0 })
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
    { numRuns: 75 },
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
