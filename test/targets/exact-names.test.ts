/** Whoever has another name than the one that was given, if only by a blank or an invisible character, is no target. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import * as fc from '../fast-check.ts'
import { isList, json } from '../server.ts'
import { accepting, startService } from '../service.ts'
import { newWorld } from '../world.ts'

const blanks = [' ', '\t', '\f']
const controls = ['\n', '\r\n', '\r', '\u001b', '\u0085']
const others = [...'\u00a0\u00ad\u1680\u180e\u2003\u200b\u200d\u200e\u2028\u202e\u2060\u2800\u3000\u3164\ufe0f\ufeff']
const around = ['', ...blanks, ...controls, ...others]

/** Everybody's e-mail is also their distinct id. */
const names = around.flatMap(before => around.map(after => `${before}ceo@example.com${after}`))
const inQuotes = (text: string) => `"${text}"`
const jsonText = (text: string) => JSON.stringify(text).replace(/[^ -~]/g, unit => `\\u${hex(unit)}`)
const hex = (unit: string) => unit.charCodeAt(0).toString(16).padStart(4, '0')

/** Each writes a list of one name; what is not quoted says nothing of the blanks around it, and holds no line end. */
const forms: Readonly<Record<string, { isQuoted: boolean; write: (name: string) => string }>> = {
  // A mark at the very beginning is that of the file.
  'a line': { isQuoted: false, write: name => `\n${name}\n` },
  'a line of Windows': { isQuoted: false, write: name => `\r\n ${name}\t\r\n` },
  'a cell': { isQuoted: false, write: name => `n,who\n1,${name}\n` },
  'the first cell': { isQuoted: false, write: name => `who;n\r\n${name};1\r\n` },
  'a quoted cell': { isQuoted: true, write: name => `n,who\n1,${inQuotes(name)}\n` },
  'a quoted cell among blanks': { isQuoted: true, write: name => `who;n\r\n ${inQuotes(name)} ;1\r\n` },
  NDJSON: { isQuoted: true, write: name => `${JSON.stringify({ who: name })}\n` },
  'NDJSON in ASCII': { isQuoted: true, write: name => ` {"who": ${jsonText(name)} } \r\n` },
}

const asked = fc.record({
  by: fc.constantFrom('email', 'distinct-id'),
  form: fc.constantFrom('option', ...Object.keys(forms)),
  name: fc
    .tuple(fc.constantFrom(...around), fc.constantFrom(...around, '\u200b\u200b'))
    .map(([before, after]) => `${before}ceo@example.com${after}`),
})

test('only the person whose name is the given one is a target', async () => {
  const world = newWorld()
  const env = { ANALYTICS_SANDBOX: '1' }
  const rows = names.map((name, i) => ({ id: 1000 + i, distinct_ids: [name], properties: { email: name } }))
  writeFileSync(join(world.folder, 'all.ndjson'), rows.map(row => `${JSON.stringify(row)}\n`).join(''))
  expect((await world.run(['sandbox', 'load', 'all.ndjson'], { env })).code).toBe(0)

  const property = fc.asyncProperty(asked, async ({ by, form, name }) => {
    const { isQuoted, write } = forms[form] ?? { isQuoted: true, write: () => '' }
    fc.pre(isQuoted || !/[\r\n]/.test(name))
    const source = form === 'option' ? [`--${by}=${name}`] : [`--${by}s-from`, '-']
    const column = write(name).includes('who') ? ['--column', 'who'] : []
    const argv = ['persons', 'delete', ...source, ...column, '--dry-run', '-o', 'ids']
    const { code, stdout, stderr } = await world.run(argv, { env, stdin: write(name) })
    const wanted = isQuoted ? name : name.replace(/^[ \t\r\f\n]+|[ \t\r\f\n]+$/g, '')
    const found = rows.find(({ properties }) => properties.email === wanted)
    const isRefused = !isQuoted && /\p{Cc}/u.test(wanted)
    const ids = stdout.match(/(?<=persons\/)\d+/g) ?? []
    expect([code, ids]).toEqual(isRefused ? [2, []] : [0, found ? [String(found.id)] : []])
    if (code === 0 && !found) expect(stderr).toMatch(/(begins|ends) with .*U\+[0-9A-F]{4}/)
  })
  await fc.assert(property, { numRuns: 50 })
})

const marked = [
  ['emails', 'mailto:ada@example.com'],
  ['emails', 'Ada <ada@example.com>'],
  ['emails', 'ada@example.com (at work)'],
  ['emails', '[ada@example.com]'],
  ['emails', '"ada@example.com"'],
  ['distinct-ids', 'MAILTO:ada'],
  ['distinct-ids', '<ada>'],
  ['distinct-ids', '"ada"'],
] as const

test.each(marked)('a plain line of %s with %s is refused before any request, and kept', async (list, line) => {
  const { world, run, server } = await startService()
  const { code, stderr } = await run(`persons delete --${list}-from - --unmatched un.txt --yes`, {
    stdin: `ada@example.com\n${line}\n`,
  })
  expect([code, server.asked]).toEqual([2, []])
  expect(stderr).toMatch(/line 2 .*\n.*NDJSON/)
  expect(readFileSync(join(world.folder, 'un.txt'), 'utf8')).toBe(`${line}\n`)
})

test('of many mistakes ten are named, the others are counted, and all of them are kept', async () => {
  const { world, run, server } = await startService()
  const bad = Array.from({ length: 14 }, (_, i) => `<a${i}@example.com>\n`).join('')
  const { code, stderr } = await run('persons delete --emails-from - --unmatched un.txt --yes', {
    stdin: `ada@example.com\n${bad}`,
  })
  expect([code, server.asked]).toEqual([2, []])
  expect(stderr).toContain(
    'line 2 is not one plain e-mail; there are mistakes on lines 3, 4, 5, 6, 7, 8, 9, 10, 11 and 4 more',
  )
  expect(readFileSync(join(world.folder, 'un.txt'), 'utf8')).toBe(bad)
})

test('what --unmatched keeps of a quoted name is not read back as a plain one', async () => {
  const { world, run } = await startService((_, response) => json(response, { next: null, results: [] }))
  const argv = 'persons delete --emails-from - --unmatched un.txt --yes'
  await run(argv, { stdin: 'email\n" ceo@example.com"\n"ceo@example.com\nx"\nceo@example.com\u200b\n' })
  const kept = readFileSync(join(world.folder, 'un.txt'), 'utf8')
  expect(kept).toBe('" ceo@example.com"\n"ceo@example.com\\nx"\nceo@example.com\u200b\n')
  expect(await run(argv, { stdin: kept })).toMatchObject({ code: 2, stderr: expect.stringContaining('line 1 ') })
})

test.each([
  'get --email',
  'report --distinct-id',
  'delete --yes --max 1 --email',
])('persons %s: of a name that nobody has, what cannot be seen is named', async command => {
  const { world, env } = await startService((_, response) => json(response, { next: null, results: [] }))
  const { stderr } = await world.run(['persons', ...command.split(' '), '\u200eada@example.com'], { env })
  expect(stderr).toMatch(/No person .*: it begins with a left-to-right mark \(U\+200E\)/)
})

test.each([
  ['a cell', (name: string) => `name,tags\n${name},"[""a""]"\n`],
  ['a quoted cell', (name: string) => `name,tags\n"${name}","[""a""]"\n`],
  ['NDJSON', (name: string) => `${JSON.stringify({ name, tags: ['a'] })}\n`],
])('rows by name: a definition whose name differs in what cannot be seen is another one, in %s', async (_, write) => {
  const called = ['order', 'order\u00a0', '\u200border', 'order\ufeff']
  const { run, sent } = await startService((asked, response) => {
    if (asked.method !== 'GET' || !isList(asked)) return accepting(asked, response)
    json(response, { count: 4, next: null, previous: null, results: called.map((name, i) => ({ id: i + 1, name })) })
  })
  for (const name of called) await run('event-definitions update --rows - --yes', { stdin: write(name) })
  expect(sent().map(({ path }) => path.split('/').at(-2))).toEqual(['1', '2', '3', '4'])
})
