/** Text of others in the log of a CI job: no line of it is a command to the runner. */
import { parse } from 'csv-parse/sync'
import { describe, expect, test } from 'vitest'
import { createMessages } from '../../src/messages/messages.ts'
import { escapeRunnerCommands, holdsRunnerCommand } from '../../src/text/runner-commands.ts'
import type { Format } from '../../src/values/formats.ts'
import * as fc from '../fast-check.ts'
import { printList, printObject } from '../output/print.ts'
import { newWorld } from '../world.ts'

/** What a runner looks for at the beginning of each line, blanks aside. */
const command = /^[\s\x85]*(?:::|##\[|##vso\[)/im
const ci = { ci: true }

test.each([
  ['::add-mask::a', '\\u003a:add-mask::a'],
  ['  \u00a0::set-output name=x::y', '  \u00a0\\u003a:set-output name=x::y'],
  ['##[command]x', '\\u0023#[command]x'],
  ['##VSO[task.setvariable]x', '\\u0023#VSO[task.setvariable]x'],
  ['a\n::error::b\nc', 'a\n\\u003a:error::b\nc'],
  ['Cls::method', 'Cls::method'],
  [':: is not ##', '\\u003a: is not ##'],
])('%j is written as %j', (text, shown) => {
  expect(escapeRunnerCommands(text)).toBe(shown)
  expect(shown).not.toMatch(command)
})

test.each(['\r', '\u2028', ' \r', '\n', '\n '])('a long run of %j before a mark is read in a moment', unit => {
  const run = unit.repeat(200_000)
  expect(holdsRunnerCommand(`${run}x::`)).toBe(false)
  expect(holdsRunnerCommand(`${run}::`)).toBe(true)
  expect(escapeRunnerCommands(`${run}::${run}x::`)).toBe(`${run}\\u003a:${run}x::`)
})

const blanks = fc.string({ unit: fc.constantFrom(' ', '\t', '\u00a0', '\u3000', '\u2003', '\u200b', '\n', '\r', '') })
const commands = fc.constantFrom('::add-mask::a', '::', '##[error]', '##vso[x]y', '##VSO[x]', 'a', '{', '"')
const text = fc.array(fc.oneof(blanks, commands), { maxLength: 6 }).map(parts => parts.join(''))
const row = fc.dictionary(fc.oneof(text, fc.constant('name')), text, { minKeys: 1, maxKeys: 3 })

describe('whatever field it comes from', () => {
  test('a message', () => {
    const written: string[] = []
    const stderr = { isTerminal: false, columns: undefined, write: (line: string) => void written.push(line) }
    const say = (ci: boolean) =>
      createMessages({ stderr, quiet: false, color: false, json: false, ci } as Parameters<typeof createMessages>[0])
        .say
    say(true)('##[group]x')
    say(false)('##[group]x')
    expect(written).toEqual(['\\u0023#[group]x\n', '##[group]x\n'])
  })

  test('what a command prints in CI, and only there', async () => {
    const world = newWorld()
    const seen = async (env: Readonly<Record<string, string>>, format: string) =>
      (await world.run(['--sandbox', 'projects', 'list', '--fields', 'name', '-o', format], { env })).stdout
    await world.run(['--sandbox', 'projects', 'update', '1', '--name', '::add-mask::a'])
    expect(await seen({ CI: 'true' }, 'table')).toContain('\\u003a:add-mask::a')
    expect(await seen({ CI: 'false' }, 'table')).toContain('\n::add-mask::a')
    expect(await seen({ CI: 'true' }, 'csv')).toContain('\n"::add-mask::a"\n')
  })

  test('a table, a record', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 3 }), async rows => {
        const json = rows.map(one => JSON.stringify(one))
        // As they are printed: see `show.ts`.
        expect(escapeRunnerCommands(await printList('table', json, { look: ci }))).not.toMatch(command)
        expect(escapeRunnerCommands(await printObject('table', json[0] ?? '', { look: ci }))).not.toMatch(command)
      }),
    )
  })

  test.each<Format>(['json', 'ndjson'])('%s', async format => {
    await fc.assert(
      fc.asyncProperty(row, async one => {
        expect(await printList(format, [JSON.stringify(one)], { look: ci })).not.toMatch(command)
      }),
    )
  })

  test('CSV, but for lines within quotes, and it is the same data', async () => {
    await fc.assert(
      fc.asyncProperty(text, text, async (first, second) => {
        const printed = await printList('csv', [JSON.stringify({ first, second })], { look: ci })
        const outside = printed.replace(/"(?:[^"]|"")*"/g, '""')
        expect(outside).not.toMatch(command)
        expect(parse(printed)).toEqual([
          ['first', 'second'],
          [first, second],
        ])
      }),
    )
  })

  test('ids, of which one that begins like a command is refused', async () => {
    await expect(printList('ids', ['{"id":"::add-mask::a"}'], { look: ci })).rejects.toThrow(
      'cannot be printed on one line',
    )
    expect(await printList('ids', ['{"id":"a::b"}'], { look: ci })).toBe('a::b\n')
  })
})
