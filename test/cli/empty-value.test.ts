/** A shell drops an empty variable without quotes: the next option must not become the value of the one before it. */
import { expect, test } from 'vitest'
import { readCommandLine } from '../../src/cli/program.ts'
import { describeProgram } from '../../src/commands/commands/describe.ts'
import { tree } from '../../src/commands/tree.ts'
import { startService } from '../service.ts'

const [{ options: everywhere }, ...described] = await describeProgram(tree)
/** Each command with its own options, and one in four of those that all have, in turn. */
const commands = described.map((one, turn) => ({
  ...one,
  options: [...one.options, ...everywhere.filter((_, i) => (i + turn) % 4 === 0)],
}))

type Described = (typeof commands)[number]['options'][number]

const takesValue = ({ name, value }: Described) => value !== null && name !== '--fields'

/** Every way to write an option: after these the value of the one before them is missing. */
function spellings({ name, short, value }: Described): readonly string[] {
  return [name, `${name}=x`, ...(short ? [short, `-q${short.slice(1)}`] : []), ...(value ? [] : [`${name}=true`])]
}

async function problemOf(argv: readonly string[]) {
  const { problem } = await readCommandLine(argv, tree)
  return problem?.message
}

test.each(commands)('$words: no option takes another one as its value', async ({ words, options }) => {
  const nexts = ['--', ...options.flatMap(spellings)]
  const takers = options
    .filter(takesValue)
    .flatMap(({ name, short }) =>
      (short ? [name, short, `-q${short.slice(1)}`] : [name]).map(typed => ({ name, typed })),
    )
  // Each option with some of the words, each word with some of the options.
  const pairs = [
    ...takers.map((taker, i) => [taker, nexts[(i * 7) % nexts.length] ?? ''] as const),
    ...nexts.map((next, i) => [takers[i % takers.length] ?? { name: '', typed: '' }, next] as const),
  ]
  for (const [{ name, typed }, next] of pairs) {
    const shown = next.split('=')[0]
    const says = `${name} has no value: the next word is ${shown}; is a variable of your shell not set?`
    expect([typed, next, await problemOf([...words.split(' '), typed, next, '2'])]).toEqual([typed, next, says])
  }
})

test.each(commands)('$words: what is no option stays a value, and so does what stands behind =', async given => {
  const words = given.words.split(' ')
  const values = ['-90d', '-5', '-', '-1.5', '---', '-none of these', `=${given.options[0]?.name}`]
  // Each option with two of the values.
  const pairs = given.options.filter(takesValue).flatMap(({ name }, i) => [0, 3].map(n => [name, values[(i + n) % 7]]))
  for (const [name, value = ''] of pairs) {
    const typed = value.startsWith('=') ? [`${name}${value}`] : [name ?? '', value]
    expect([typed, await problemOf([...words, ...typed])]).not.toEqual([
      typed,
      expect.stringMatching(/has no value|There is no option|needs a value/),
    ])
  }
})

test.each(everywhere.filter(takesValue))('$name before the words takes no option either', async ({ name }) => {
  const says = `${name} has no value: the next word is --dry-run; is a variable of your shell not set?`
  for (const argv of [
    [name, '--dry-run', 'persons', 'delete', '5', '--yes'],
    ['persons', name, '--dry-run', 'delete', '5', '--yes'],
    ['-q', name, '--dry-run'],
    [name, '--dry-run', 'nothing', 'of', 'ours'],
  ]) {
    expect([argv, await problemOf(argv)]).toEqual([argv, says])
  }
})

test.each([
  [['persons', 'delete', '30', '31', '--yes', '--reason', '--expect', '2']],
  [['persons', 'delete', '5', '--yes', '--requested-by', '-n']],
  [['persons', 'delete', '5', '--yes', '--receipt', '--reason', '--dry-run']],
  [['persons', 'update-property', '12', '--key', 'plan', '--value', '--dry-run']],
  [['projects', 'update', '--name', '--dry-run']],
  [['api', 'DELETE', 'api/projects/1/persons/5/', '--yes', '--param', '-n']],
  [['api', 'PATCH', 'api/projects/1/', '--body', '--dry-run']],
  [['persons', 'list', '--search', '-ojson']],
])('%j sends nothing', async argv => {
  const { server, world, env } = await startService()
  const { code, stdout, stderr } = await world.run(argv, { env })
  expect([code, stdout, server.asked]).toEqual([2, '', []])
  expect(stderr).toContain('is a variable of your shell not set?')
})

test('the rest of the line is read: the error has the form that was asked for, and help is shown', async () => {
  const { world, env } = await startService()
  const failed = await world.run(['persons', 'delete', '5', '--yes', '--reason', '-o', 'json'], { env })
  expect(JSON.parse(failed.stderr).error).toMatchObject({
    exit: 2,
    message: '--reason has no value: the next word is -o; is a variable of your shell not set?',
    hint: 'Write --reason=-o if that is meant',
  })
  expect(await world.run(['persons', 'delete', '5', '--yes', '--reason', '--help'], { env })).toMatchObject({ code: 0 })
})

test('a text that stands twice is looked at where it was taken', async () => {
  expect(await problemOf(['persons', 'list', '--search=--all', '--all'])).toBeUndefined()
  expect(await problemOf(['persons', 'get', '--reason=--all', '--', '--reason', '--all'])).toContain(
    'no option --reason',
  )
})
