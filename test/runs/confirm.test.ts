/** Where a prompt is possible; `transcripts/consent.txt` has the prompts. */
import { expect, test } from 'vitest'
import { json } from '../server.ts'
import { startService } from '../service.ts'
import { newWorld } from '../world.ts'

test.each([
  [{ columns: 80 }, 'stdin is not a terminal'],
  [{ answers: ['y'], stderrIsFile: true }, 'stderr is not a terminal'],
] as const)('no prompt where only one stream is a terminal: %j', async (options, why) => {
  const { server, world, env } = await startService()
  const { code, stderr } = await world.run(['persons', 'delete', '1'], { env: { ...env, NO_COLOR: '1' }, ...options })
  expect([code, server.asked]).toEqual([10, []])
  expect(stderr.replaceAll(/\s+/g, ' ')).toContain(`needs confirmation, but ${why}. Use --yes to confirm.`)
})

test('a prompt holds no live control characters', async () => {
  const { world, env } = await startService()
  const argv = ['persons', 'update', '1', '2', '--set', 'a\u001b[2J=b']
  const { stderr } = await world.run(argv, { env, answers: ['n'] })
  expect(stderr).toContain('a\\u001b[2J')
  expect(stderr).not.toContain('\u001b')
})

test('a long name is cut before the old and the new value', async () => {
  const uuid = '08d770aa-b62d-479d-8990-7399a316a95e'
  const person = {
    id: 4,
    uuid,
    name: 'Augusta Ada King, Countess of Lovelace',
    distinct_ids: [],
    properties: { plan: 'pro' },
  }
  const { world, env } = await startService((_, response) => json(response, person))
  const argv = ['persons', 'update', '4', uuid, 'plan=free']
  const { stderr } = await world.run(argv, { env, columns: 73, answers: ['n'] })
  expect(stderr).toContain('  4  Augusta Ada King, Countess of Lovelace  plan: "pro" → "free"\n')
  expect(stderr).toContain(`  ${uuid}  Augusta A…  plan: "pro" → "free"\n`)
})

test('a prompt that is wider than the terminal breaks between words', async () => {
  const world = newWorld()
  const line = 'api DELETE /api/projects/1/persons/3/ --sandbox'.split(' ')
  const { code, stderr } = await world.run(line, { columns: 40, answers: ['n'] })
  expect(code).toBe(10)
  expect(stderr).toContain('\nDELETE /api/projects/1/persons/3/\n(sandbox)\nContinue? [y/N] ')
})
