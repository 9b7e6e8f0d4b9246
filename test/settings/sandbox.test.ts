import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { fields } from '../../src/settings/fields.ts'
import { World } from '../world.ts'
import { acceptedValue } from './projects.ts'

/** Newer servers refuse one documented field, and do not have another one. */
function settable(dialect: string) {
  const gone = dialect === 'observed' ? ['access_control', 'slack_incoming_webhook'] : []
  return [...fields].filter(([field]) => !gone.includes(field))
}

test.for(['documented', 'observed'])('every writable field is changed through a file, %s', async dialect => {
  const world = new World()
  onTestFinished(() => world.remove())
  const run = (...argv: string[]) => world.run(argv, { env: { ANALYTICS_SANDBOX: dialect } })
  const before = JSON.parse((await run('projects', 'get', '1', '-o', 'json')).stdout) as Record<string, unknown>
  for (const [field, kind] of settable(dialect)) {
    writeFileSync(join(world.folder, 'one.yaml'), `${field}: ${acceptedValue(field, kind, before[field])}\n`)
    const applied = await run('projects', 'apply', '1', '-f', 'one.yaml', '--yes', '-o', 'ids')
    expect([field, applied.stdout, applied.code]).toEqual([field, `${field}\n`, 0])
    expect((await run('projects', 'diff', '1', '-f', 'one.yaml')).code).toBe(0)
  }
  const pulled = await run('projects', 'pull', '1')
  expect(pulled.stdout).toContain('id: 9007199254740993\n        share: 1.0\n'.replaceAll('        ', '      '))
})

/** Values that a settings file has to be careful with, by field; `pull` of a fresh project has the others. */
const awkward = {
  name: `$\${NAME} no: 1 \u202e # \n '"x`,
  app_urls: ['no', '012', '~', `\${URL}`],
  slack_incoming_webhook: 'https://hooks.example.com/made-up#no',
  person_display_name_properties: [' a', 'a: b', '# a'],
}
const awkwardBody = `{${JSON.stringify(awkward).slice(1, -1)},"extra_settings":{"9":1.0,"1":["$\${A}",-0,9007199254740993,""],"no":null}}`

test('the files of pull and --previous name the project that @current was, and where it is', async () => {
  const world = new World()
  onTestFinished(() => world.remove())
  const here = '--sandbox'
  const run = (line: string) => world.run(`${line} ${here}`.split(' '), { env: { ANALYTICS_SANDBOX: 'observed' } })
  const pulled = await run('projects pull @current --only name')
  expect(pulled.stdout.split('\n').slice(0, 3)).toEqual([
    '# Settings of project 1. A field that is taken out is left alone.',
    `# To show the changes: analytics projects diff 1 -f FILE ${here}`,
    '# To make them: the same with apply in place of diff',
  ])
  writeFileSync(join(world.folder, 's.yaml'), 'name: Elsewhere\n')
  const back = `analytics projects apply 1 -f before.yaml ${here}`
  expect((await run('projects apply @current -f s.yaml --previous before.yaml --yes')).stderr).toContain(back)
  expect(readFileSync(join(world.folder, 'before.yaml'), 'utf8')).toContain(back)
})

test('a pull as CSV has a column for each field that it writes, and no other', async () => {
  const world = new World()
  onTestFinished(() => world.remove())
  const pull = async (...argv: string[]) => (await world.run(['projects', 'pull', '1', ...argv, '--sandbox'])).stdout
  expect(await pull('--only', 'timezone,name', '-o', 'csv')).toBe(
    'name,timezone\nJuniper & Quill Books,Europe/London\n',
  )
  const [header = ''] = (await pull('-o', 'csv')).split('\n')
  expect(header.split(',')).toEqual(Object.keys(JSON.parse(await pull('-o', 'json'))))
  const { stdout: listed } = await world.run(['projects', 'pull', '--fields', '-o', 'ndjson'])
  expect(header.split(',').toSorted()).toEqual(
    listed
      .trimEnd()
      .split('\n')
      .map(line => JSON.parse(line).field)
      .toSorted(),
  )
})

test('--previous with a folder names the file after the project in use', async () => {
  const world = new World()
  onTestFinished(() => world.remove())
  mkdirSync(join(world.folder, 'before'))
  writeFileSync(join(world.folder, 's.yaml'), 'name: Elsewhere\n')
  const { code } = await world.run('--sandbox projects apply -f s.yaml --previous before --yes'.split(' '))
  expect([code, readdirSync(join(world.folder, 'before'))]).toEqual([0, ['1.yaml']])
})

test.for(['documented', 'observed'])('--previous puts every writable field back byte for byte, %s', async dialect => {
  const world = new World()
  onTestFinished(() => world.remove())
  const run = (...argv: string[]) => world.run(argv, { env: { ANALYTICS_SANDBOX: dialect } })
  const record = async () =>
    (await run('projects', 'get', '1', '-o', 'json')).stdout.replace(/"updated_at":"[^"]*",/, '')
  expect((await run('api', 'PATCH', '/api/projects/1/', '--body', awkwardBody)).code).toBe(0)
  const before = await record()
  const values = JSON.parse(before) as Record<string, unknown>
  const others = settable(dialect).map(([field, kind]) => `${field}: ${acceptedValue(field, kind, values[field])}\n`)
  writeFileSync(join(world.folder, 'other.yaml'), others.join(''))
  const changed = await run('projects', 'apply', '1', '-f', 'other.yaml', '--previous', 'previous.yaml', '--yes')
  expect([changed.code, changed.stderr]).toEqual([
    0,
    expect.stringContaining(`Changed ${settable(dialect).length} settings`),
  ])
  const back = await run('projects', 'apply', '1', '-f', 'previous.yaml', '--yes')
  expect([back.code, back.stderr]).toEqual([0, expect.stringContaining(`Changed ${settable(dialect).length} settings`)])
  expect(await record()).toBe(before)
})

test('a folder in the place of the file of --previous is refused before anything is sent', async () => {
  const world = new World()
  onTestFinished(() => world.remove())
  writeFileSync(join(world.folder, 's.yaml'), 'name: Second\n')
  mkdirSync(join(world.folder, 'previous/1.yaml'), { recursive: true })
  const { code, stderr } = await world.run('--sandbox projects apply 1 -f s.yaml --previous previous --yes'.split(' '))
  expect([code, stderr]).toEqual([2, expect.stringContaining('1.yaml cannot be written: that is a folder')])
  const { stdout } = await world.run('--sandbox projects get 1 -o csv --no-header --fields name'.split(' '))
  expect(stdout).toBe('Juniper & Quill Books\n')
})
