/** Properties that hold for any input. */
import { expect, test } from 'vitest'
import { pageIn } from '../../src/api/pages.ts'
import { readSettings } from '../../src/commands/projects/settings.ts'
import type { Format } from '../../src/config/settings.ts'
import { UsageError } from '../../src/errors.ts'
import { readItem } from '../../src/json/read-item.ts'
import { Malformed } from '../../src/json/tokens.ts'
import { cells } from '../../src/text/cells.ts'
import { isId } from '../../src/values/ids.ts'
import * as fc from '../fast-check.ts'
import { acting, printList, printObject, terminal } from '../output/print.ts'
import { idsIn } from '../targets/reading.ts'
import { World } from '../world.ts'
import { answering, commandLines, damaged, pieces, sizes, text, value } from './anything.ts'

const holds = <T extends [unknown, ...unknown[]]>(property: fc.IAsyncProperty<T> | fc.IProperty<T>, numRuns: number) =>
  fc.assert(property as fc.IAsyncProperty<T>, { numRuns })

/** Allows these failures. Anything else would be exit code 1. */
async function orRefused<T>(act: () => T | Promise<T>, ...kinds: readonly (new (...args: never[]) => Error)[]) {
  try {
    return await act()
  } catch (error) {
    if (!kinds.some(kind => error instanceof kind)) throw error
    return undefined
  }
}

const stdinOf = (chunks: readonly Uint8Array[]) => ({
  cwd: '/',
  env: { SECRET: 'value' },
  stdin: {
    isTerminal: false,
    async *read() {
      yield* chunks
    },
    ask: async () => undefined,
  },
})

test('the rows of a list are those that JSON.parse finds, or the response is refused', async () => {
  await holds(
    fc.asyncProperty(damaged, async bytes => {
      const items = await orRefused(() => pageIn(readItem(bytes))?.rows ?? [], Malformed)
      const parsed = await orRefused(() => JSON.parse(bytes.toString()) as unknown, SyntaxError)
      if (parsed === undefined || items === undefined) return
      expect(items.map(({ text }) => JSON.parse(text))).toEqual(listIn(parsed) ?? [])
    }),
    400,
  )
})

test('ids are read unchanged, or the file is refused', async () => {
  const read = (bytes: Uint8Array, cut: readonly number[]) => orRefused(() => idsIn(pieces(bytes, cut)), UsageError)
  await holds(
    fc.asyncProperty(fc.oneof(damaged, fc.uint8Array({ maxLength: 40 })), sizes, async (bytes, cut) => {
      for (const id of (await read(bytes, cut)) ?? []) expect(isId('persons', id)).toBe(true)
    }),
    200,
  )
  const id = fc
    .oneof(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 8 }), fc.maxSafeNat().map(String), fc.uuid())
    .filter(one => one.trim() === one && one !== '')
  await holds(
    fc.asyncProperty(fc.uniqueArray(id, { minLength: 1, maxLength: 5 }), sizes, async (ids, cut) => {
      const json = ids.map(one => JSON.stringify({ name: 'x', id: one })).join('\n')
      expect(await read(Buffer.from(json), cut)).toEqual(ids.every(one => isId('persons', one)) ? ids : undefined)
      const csv = ['name,id', ...ids.map(one => `"x, ""y""","${one.replaceAll('"', '""')}"`)].join('\r\n')
      expect(await read(Buffer.from(csv), cut)).toEqual(ids.every(one => isId('persons', one)) ? ids : undefined)
    }),
    100,
  )
})

test('settings are read or refused', async () => {
  const line = fc.oneof(
    fc
      .tuple(fc.constantFrom('name', 'timezone', 'app_urls', 'week_start_day', 'extra_settings', 'is_demo'), text)
      .map(([field, what]) => `${field}: ${what}`),
    text.map(what => `  - ${what}`),
    text.map(what => `  ${what}: ${what}`),
    text,
  )
  const file = fc.oneof(
    fc.array(line, { maxLength: 6 }).map(lines => lines.join('\n')),
    damaged.map(String),
    fc.string({ unit: fc.character }),
  )
  await holds(
    fc.asyncProperty(file, async written => {
      const states = await orRefused(
        () => readSettings(stdinOf([Buffer.from(written)]) as never, ['-'], () => undefined),
        UsageError,
      )
      for (const { at } of states?.[0]?.settings ?? []) expect(at).toMatch(/^stdin:\d+$/)
    }),
    400,
  )
})

test('every format prints everything, without live control characters', async () => {
  const formats = fc.constantFrom<Format>('table', 'json', 'ndjson', 'csv')
  const width = fc.integer({ min: 1, max: 120 })
  await holds(
    fc.asyncProperty(formats, fc.array(value, { maxLength: 5 }), width, fc.array(text), async (format, ...given) => {
      const [values, width, fields] = given
      const look = { ...terminal, width, fields: fields.length > 0 ? fields : undefined }
      const items = values.map(one => JSON.stringify(one))
      const printed = await printList(format, [items], { look })
      expect(printed).not.toMatch(acting)
      expect(await printObject(format, items[0] ?? '0', { look })).not.toMatch(acting)
      if (format === 'json' && fields.length === 0) expect(JSON.parse(printed)).toEqual(values.map(again))
      if (format === 'table' && width >= 20)
        for (const one of printed.split('\n')) expect(cells(one)).toBeLessThanOrEqual(width)
    }),
    300,
  )
})

const world = new World()

test('no command line exits with 1, and none without --yes sends what needs confirmation', async () => {
  const bodies = fc.oneof(
    fc.constant(
      '{"id":1,"name":"x","organization":"o","next":null,"results":[{"id":1,"distinct_ids":["a"],"properties":{}},{"id":2}]}',
    ),
    damaged.map(String),
  )
  await holds(
    fc.asyncProperty(await commandLines(), bodies, async (argv, body) => {
      const sent: { method: string; path: string }[] = []
      const { code } = await world.run(argv, {
        env: { ANALYTICS_BASE_URL: 'http://127.0.0.1:1', ANALYTICS_API_KEY: 'key', ANALYTICS_PROJECT: '1' },
        dispatcher: answering(body, sent),
        stdin: '',
      })
      expect(code).not.toBe(1)
      const writes = sent.filter(
        ({ method, path }) => method !== 'GET' && !/\/(funnel|funnel\/correlation|path)\/(\?|$)/.test(path),
      )
      if (argv.some(one => /^(--dry-run|-n)/.test(one))) expect(writes).toEqual([])
      // A resume continues a confirmed job.
      if (argv.some(one => /^(--yes|-\w*y|resume$)/.test(one))) return
      expect(writes.length).toBeLessThanOrEqual(1)
      expect(
        writes.filter(({ method, path }) => method === 'DELETE' || /\/(split|delete_property)\//.test(path)),
      ).toEqual([])
    }),
    500,
  )
})
/** The rows of a list, by JSON.parse. */
function listIn(parsed: unknown): unknown[] | undefined {
  if (Array.isArray(parsed)) return parsed
  if (typeof parsed !== 'object' || parsed === null) return undefined
  const { results, result } = parsed as Record<string, unknown>
  return Array.isArray(results) ? results : Array.isArray(result) ? result : undefined
}

/** As written in UTF-8, which cannot hold half characters. */
function again(one: unknown): unknown {
  return JSON.parse(Buffer.from(JSON.stringify(one)).toString())
}
