/** Runs each example of each help page on its own sandbox. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { allCommands } from '../../scripts/all-commands.ts'
import { splitExample } from '../../src/cli/help.ts'
import { wordsOf } from '../../src/text/shell-words.ts'
import { newWorld } from '../world.ts'

/** Examples that do not exit with 0 by themselves, and why. */
const exceptions: readonly (readonly [start: string, code: number | undefined, why: string])[] = [
  ['sandbox serve', undefined, 'it listens until it is interrupted'],
]

const settings = 'timezone: Europe/London\nweek_start_day: 1\n'

/** Files that examples name. */
const files: Readonly<Record<string, string>> = {
  'settings.yaml': settings,
  'base.yaml': settings,
  'prod.yaml': 'anonymize_ips: true\n',
  'projects/shop.yaml': 'project: 1\nis_demo: false\n',
  'corrections.csv': 'id;properties.plan;properties.orders\n3;pro;12\n4;;13\n',
  'request.csv': 'Name;E-mail\nIrene;irene@example.com\n',
  'names.csv': 'name,tags\norder placed,"[""revenue""]"\nsigned up,"[""growth""]"\n',
  'persons.ndjson': '{"id":1,"distinct_ids":["someone"],"properties":{"email":"someone@example.com"}}\n',
}

const add = (name: string) =>
  `profiles add ${name} --base-url https://analytics.example.com --api-key-command "echo key"`

/** Commands to run before the examples that begin so; the first row that matches counts. */
const before: readonly (readonly [start: string, typed: string])[] = [
  ['jobs undo', 'persons update 3 4 --set plan=pro --backup before.ndjson --yes'],
  ['jobs', 'persons delete 3 4 --yes'],
  ['persons verify', 'persons delete 3 4 --yes --receipt deleted.json'],
  ['profiles set', add('prod')],
  ['profiles use', add('prod')],
  ['profiles rename', add('prod')],
  ['profiles remove', add('staging')],
]

const { commands: declared } = await allCommands()
const commands = declared.map(({ words, command }) => [words, command] as const)

test.each(commands)('%s has an example, each begins with its words, and several have captions', (words, {
  examples,
}) => {
  expect(examples.length).toBeGreaterThan(0)
  for (const line of examples) expect(` ${line} `).toContain(` ${words} `)
  // Help is 80 columns wide.
  for (const example of examples) expect(splitExample(example).line.length).toBeLessThanOrEqual(68)
  const captions = examples.map(example => splitExample(example).caption)
  if (examples.length > 1) expect(captions).not.toContain(undefined)
})

/** Examples that prompt at a terminal: for a key, or y/N. */
const answering = /^(profiles (add|remove)|projects apply)/

const lines = commands.flatMap(([, { examples }]) => examples.map(example => splitExample(example).line))

/** Every command in the sandbox names it, and the ignored settings. */
function sandboxed(line: string): readonly string[] {
  const ignored = ['ANALYTICS_API_KEY', ...(line.includes('--profile ') ? ['--profile'] : [])]
  const notice = 'sandbox: made-up data on this machine'
  if (line.startsWith('completion')) return []
  return /^profiles (?!show)/.test(line) ? [notice] : [notice, `sandbox: ${ignored.join(', ')} ignored`]
}

test.each(lines)('analytics %s', async line => {
  const [, code] = exceptions.find(([start]) => line.startsWith(start)) ?? ['', 0]
  if (code === undefined) return
  const world = newWorld()
  mkdirSync(join(world.folder, 'projects'))
  for (const [name, text] of Object.entries(files)) writeFileSync(join(world.folder, name), text)
  const env = { ANALYTICS_SANDBOX: '1', ANALYTICS_API_KEY: 'made-up-key' }
  const [, typed] = before.find(([start]) => line.startsWith(start)) ?? []
  if (typed !== undefined) await world.run(wordsOf(typed), { env })
  const answers = answering.test(line) ? { answers: [line.includes('add') ? 'made-up-key' : 'y'] } : {}
  const [typedHere = ''] = line.split(' > ')
  const ran = await world.run(wordsOf(typedHere), { env, stdin: settings, ...answers })
  expect([ran.code, ran.stderr]).toEqual([code, expect.any(String)])
  expect(ran.stderr.split('\n').filter(text => /^sandbox: (made-up|.* ignored$)/.test(text))).toEqual(sandboxed(line))
})

test('every exception names an example', () => {
  for (const [start] of exceptions) expect(lines.some(line => line.startsWith(start))).toBe(true)
})
