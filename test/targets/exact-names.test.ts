/** A person whose name differs, even by one space or invisible character, is never a target. */
import { expect, test } from 'vitest'
import * as fc from '../fast-check.ts'
import { dispatcherOf, page } from '../in-memory.ts'
import { modelService } from '../model-service.ts'
import { newWorld } from '../world.ts'

const blanks = [' ', '\t', '\f']
const controls = ['\n', '\r\n', '\r', '\u001b', '\u0085']
const others = [...'\u00a0\u00ad\u1680\u180e\u2003\u200b\u200d\u200e\u2028\u202e\u2060\u2800\u3000\u3164\ufe0f\ufeff']
const around = ['', ...blanks, ...controls, ...others]
const inQuotes = (text: string) => `"${text}"`
const jsonText = (text: string) => JSON.stringify(text).replace(/[^ -~]/g, unit => `\\u${hex(unit)}`)
const hex = (unit: string) => unit.charCodeAt(0).toString(16).padStart(4, '0')

/** Each writes a list of one name. Plain lines lose the spaces around them, and cannot hold control characters. */
const forms: Readonly<Record<string, { isPlain: boolean; write: (name: string, field: string) => string }>> = {
  // A byte order mark at the very beginning belongs to the file.
  'a line': { isPlain: true, write: name => `\n${name}\n` },
  'a line of Windows': { isPlain: true, write: name => `\r\n ${name}\t\r\n` },
  'a cell': { isPlain: false, write: (name, field) => `n,${field}\n1,${inQuotes(name)}\n` },
  'the first cell': { isPlain: false, write: (name, field) => `${field};n\r\n${inQuotes(name)};1\r\n` },
  NDJSON: { isPlain: false, write: (name, field) => `${JSON.stringify({ [field]: name })}\n{"${field}":"x"}\n` },
  JSON: { isPlain: false, write: (name, field) => `[ {"${field}": ${jsonText(name)} } ]\r\n` },
}

const asked = fc.record({
  by: fc.constantFrom('email', 'distinct-id'),
  form: fc.constantFrom('option', ...Object.keys(forms)),
  name: fc
    .tuple(fc.constantFrom(...around), fc.constantFrom(...around, '\u200b\u200b'))
    .map(([before, after]) => `${before}ceo@example.com${after}`),
})

test('only the person with exactly the given name is a target, whatever the server matches', async () => {
  const world = newWorld()
  const names = around.flatMap(before => around.map(after => `${before}ceo@example.com${after}`))
  // The email of each person is also their distinct id.
  const rows = names.map((name, i) => ({ id: 1000 + i, distinct_ids: [name], properties: { email: name } }))
  const plain = modelService().answer
  const dispatcher = dispatcherOf(request => {
    const { searchParams } = request.url
    const name = searchParams.get('email') ?? searchParams.get('distinct_id')
    if (searchParams.has('search') || name === 'x') return page([])
    return name === null ? plain(request) : page(rows.filter(({ properties }) => properties.email === name))
  })
  const env = { ANALYTICS_BASE_URL: 'https://a.example', ANALYTICS_API_KEY: 'k', ANALYTICS_PROJECT: '1' }
  const property = fc.asyncProperty(asked, async ({ by, form, name }) => {
    const { isPlain, write } = forms[form] ?? { isPlain: false, write: () => '' }
    fc.pre(!isPlain || !/[\r\n]/.test(name))
    const source = form === 'option' ? [`--${by}=${name}`] : [`--${by}s-from`, '-']
    const argv = ['persons', 'delete', ...source, '--dry-run', '-o', 'ndjson']
    const stdin = write(name, by.replace('-', '_'))
    const { code, stdout } = await world.run(argv, { env, stdin, dispatcher })
    const wanted = isPlain ? name.replace(/^[ \t\r\f\n]+|[ \t\r\f\n]+$/g, '') : name
    const found = rows.find(({ properties }) => properties.email === wanted)
    const isRefused = isPlain && /\p{Cc}/u.test(wanted)
    const ids = stdout.match(/(?<=persons\/)\d+/g) ?? []
    expect([code, ids]).toEqual(isRefused ? [2, []] : [0, found ? [String(found.id)] : []])
  })
  await fc.assert(property, { numRuns: 100 })
})
