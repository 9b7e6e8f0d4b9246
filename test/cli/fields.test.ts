/** Every field that is documented as writable is an option. */
import { expect, test } from 'vitest'
import { project, type Resource } from '../../src/api/resources.ts'
import { optionName } from '../../src/cli/command.ts'
import { startService } from '../service.ts'

interface Example {
  /** The value of the option; none for a switch. */
  readonly typed: readonly string[]
  readonly sent: unknown
  /** Refused values, as words of a command line. */
  readonly wrong: (name: string) => readonly string[]
}

const byOption = (value: string) => (name: string) => [optionName(name), value]
const byJson = (value: string) => (name: string) => ['--set-json', `${name}=${value}`]

const examples: Readonly<Record<string, Example>> = {
  string: { typed: ['some text'], sent: 'some text', wrong: byJson('5') },
  integer: { typed: ['60000'], sent: 60000, wrong: byOption('often') },
  boolean: { typed: [], sent: true, wrong: name => ['--set', `${name}=maybe`] },
  JSON: { typed: ['{"a":[1.0]}'], sent: '{"a":[1.0]}', wrong: byOption('{"a"') },
  'list of strings': { typed: ['one'], sent: ['one'], wrong: byJson('["one",2]') },
}

const special: Readonly<Record<string, Example>> = {
  timezone: { typed: ['Europe/Berlin'], sent: 'Europe/Berlin', wrong: byOption('Europe/Berln') },
  week_start_day: { typed: ['1'], sent: 1, wrong: byOption('2') },
}

const writable = Object.entries<Resource[string]>(project).filter(([, field]) => field.writable)

test.each(writable)('projects update 1 takes %s, typed and checked', async (name, { kind }) => {
  const { server, world, env } = await startService()
  const { typed, sent, wrong } = special[name] ?? (examples[kind.name] as Example)

  const right = await world.run(['projects', 'update', '1', optionName(name), ...typed], { env })
  expect(right).toMatchObject({ code: 0, stderr: '' })
  expect(server.asked.map(({ method, path, body }) => `${method} ${path} ${body}`)).toEqual([
    `PATCH /api/projects/1/ {"${name}":${typeof sent === 'string' && kind.name === 'JSON' ? sent : JSON.stringify(sent)}}`,
  ])

  const refused = await world.run(['projects', 'update', '1', ...wrong(name)], { env })
  expect([refused.code, refused.stdout]).toEqual([2, ''])
  expect(refused.stderr).toContain(wrong(name)[0]?.startsWith('--set') ? name : optionName(name))
  expect(server.asked).toHaveLength(1)
})
