/** `--rows` reads exports without changing a value or a type. */
import { expect, test } from 'vitest'
import * as fc from '../fast-check.ts'
import { newWorld } from '../world.ts'

const special = fc.constantFrom(...' .,\t\r\n"\'=;:#\\$\u00a0\u2028\ufeffé', '\r\n', '::', 'properties.', 'text')
const anyText = fc.oneof(
  fc.array(special, { maxLength: 6 }).map(parts => parts.join('')),
  fc.string({ unit: 'grapheme', maxLength: 12 }).filter(one => !one.includes('\0')),
  fc.constantFrom('007', '4', '1.0', 'true', 'FALSE', 'null', '[1]', '{}', '-', '1e5', 'NaN', '9007199254740993'),
)
const key = fc.oneof(
  anyText.filter(one => one !== ''),
  fc.constantFrom('__proto__', 'constructor', '10', 'id', 'email', 'properties'),
)
const number = fc.constantFrom(
  '0',
  '-0',
  '4',
  '1.0',
  '-1.50',
  '1e5',
  '9007199254740993',
  '0.1000',
  '123456789012345678901',
)
const boolean = fc.constantFrom('true', 'false')
const text = anyText.map(one => JSON.stringify(one))
const nested = fc.oneof(
  fc.array(fc.oneof(number, boolean, text, fc.constant('null')), { maxLength: 3 }).map(list => `[${list}]`),
  fc.tuple(text, fc.oneof(number, text)).map(([name, value]) => `{${name}:${value}}`),
)

type Person = ReadonlyMap<string, string>

const objectOf = (person: Person) =>
  `{${[...person].map(([name, value]) => `${JSON.stringify(name)}:${value}`).join()}}`

/** Persons who have these properties, in a sandbox. */
async function startWith(persons: readonly Person[]) {
  const world = newWorld()
  const run = (argv: string, stdin?: string) =>
    world.run(['--sandbox', ...argv.split(' ')], stdin === undefined ? {} : { stdin })
  const load = (properties: (person: Person) => string) =>
    run(
      'sandbox load -',
      persons
        .map((person, i) => `{"id":${1000 + i},"distinct_ids":["hostile-${i}"],"properties":${properties(person)}}\n`)
        .join(''),
    )
  const list = 'persons list --all --where distinct_ids~hostile'
  const stored = async () => (await run(`${list} -o ndjson --fields id,properties`)).stdout
  const empty = () => load(() => '{}')
  await load(objectOf)
  return { world, run, empty, stored, list }
}

/** In any order: a service may use another one. */
function sorted(ndjson: string): string[] {
  return ndjson
    .split('\n')
    .filter(Boolean)
    .map(line => {
      const { id } = JSON.parse(line)
      const properties = /"properties":\{(.*)\}\}$/s.exec(line)?.[1] ?? ''
      return `${id} ${partsOf(properties).toSorted().join(' ')}`
    })
    .toSorted()
}

/** The members of an object, as they are written. */
function partsOf(members: string): string[] {
  const parts: string[] = []
  let depth = 0
  let from = 0
  for (const { 0: token, index } of members.matchAll(/"(?:[^"\\]|\\.)*"|[[\]{},]/gs)) {
    if (token === '[' || token === '{') depth++
    else if (token === ']' || token === '}') depth--
    else if (token === ',' && depth === 0) {
      parts.push(members.slice(from, index))
      from = index + 1
    }
  }
  return [...parts, members.slice(from)]
}

const nothingHeld = (lines: readonly string[]) => lines.every(line => /^\d+ $/.test(line))

const value = fc.oneof(number, boolean, text, nested, fc.constant('null'))
const person = fc.array(fc.tuple(key, value), { maxLength: 5 }).map(all => new Map(all))

test.each([
  'json',
  'ndjson',
  'csv',
])('an export as %s restores numbers with all their digits, texts, null, lists, and any key', async format => {
  await fc.assert(
    fc.asyncProperty(fc.array(person, { minLength: 1, maxLength: 6 }), async persons => {
      const { run, empty, stored, list } = await startWith(persons)
      const before = await stored()
      expect(sorted(before)).toHaveLength(persons.length)
      const { stdout: written } = await run(`${list} -o ${format}`)
      await empty()
      expect(nothingHeld(sorted(await stored()))).toBe(true)
      const { code, stderr } = await run('persons update --rows - --yes', written)
      expect([code, stderr]).toEqual([0, expect.anything()])
      expect(sorted(await stored())).toEqual(sorted(before))
    }),
    { numRuns: 8 },
  )
})

const ofType = { number, boolean, text: text.filter(one => one !== '""'), json: nested }
const names = ['plan', 'a b', 'x.y', '10', '__proto__', 'email']
const columns = fc.uniqueArray(
  fc.tuple(fc.constantFrom(...names), fc.constantFrom('number', 'boolean', 'text', 'json')),
  {
    minLength: 1,
    maxLength: 4,
    selector: ([name]) => name,
  },
)

/** For each person a value of each column, or none. */
const table = columns.chain(columns => {
  const person = fc.tuple(
    ...columns.map(([name, type]) => fc.option(ofType[type].map(value => [name, value] as const))),
  )
  const persons = fc.array(
    person.map(all => new Map(all.filter(one => one !== null))),
    { minLength: 1, maxLength: 6 },
  )
  return persons.map(persons => ({ columns, persons }))
})

test('a CSV with a column for each property restores them if --types names the types', async () => {
  await fc.assert(
    fc.asyncProperty(table, async ({ columns, persons }) => {
      const { world, empty, stored, list } = await startWith(persons)
      const before = await stored()
      const fields = ['id', ...columns.map(([name]) => `properties.${name}`)].join()
      const asCsv = ['--sandbox', ...list.split(' '), '-o', 'csv', '--fields', fields]
      const { stdout: csv } = await world.run(asCsv)
      await empty()
      const types = columns.flatMap(([name, type]) => ['--types', `${name}=${type}`])
      const argv = ['--sandbox', 'persons', 'update', '--rows', '-', '--yes', ...types]
      const { code, stderr } = await world.run(argv, { stdin: csv })
      expect([code, stderr]).toEqual([0, expect.anything()])
      expect(sorted(await stored())).toEqual(sorted(before))
    }),
    { numRuns: 12 },
  )
})

test.each(['json', 'ndjson', 'csv', 'ids'])('--from and --emails-from read the %s of a list', async format => {
  const world = newWorld()
  const run = (line: string, stdin = '') => world.run(['--sandbox', ...line.split(' ')], { stdin })
  const { stdout: ids } = await run('persons list --all --property email -o ids')
  const { stdout: list } = await run(`persons list --all --property email -o ${format}`)
  expect(
    (await run('persons delete --from - --yes --dry-run -o ndjson', list)).stdout.match(/(?<=persons.)\d+/g),
  ).toEqual(ids.trim().split('\n'))
  if (format === 'ids') return
  const { stdout: emails } = await run(`persons list --all --property email -o ${format} --fields id,properties.email`)
  for (const given of [list, emails]) expect((await run('persons list --emails-from - -o ids', given)).stdout).toBe(ids)
})
