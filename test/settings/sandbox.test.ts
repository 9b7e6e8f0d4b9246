import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
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
  const run = (...argv: string[]) => world.run([...argv, '--sandbox', '--dialect', dialect])
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
  const here = '--dialect observed --sandbox'
  const run = (line: string) => world.run(`${line} ${here}`.split(' '))
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

test('a second --previous of the same name keeps what the first has saved', async () => {
  const world = new World()
  onTestFinished(() => world.remove())
  const apply = (name: string) => {
    writeFileSync(join(world.folder, 's.yaml'), `name: ${name}\n`)
    return world.run('--sandbox projects apply 1 -f s.yaml --previous before.yaml --yes'.split(' '))
  }
  const names = () =>
    ['before.yaml', 'before.yaml.1', 'before.yaml.2'].map(file =>
      existsSync(join(world.folder, file))
        ? /^name: (.*)$/m.exec(readFileSync(join(world.folder, file), 'utf8'))?.[1]
        : undefined,
    )
  await apply('Second')
  expect(names()).toEqual(['Juniper & Quill Books', undefined, undefined])
  const { code, stderr } = await apply('Third')
  expect([code, names()]).toEqual([0, ['Second', 'Juniper & Quill Books', undefined]])
  expect(stderr).toContain('--previous: the older values of project 1 (Second, sandbox) are kept in ')
  await apply('Fourth')
  expect(names()).toEqual(['Third', 'Juniper & Quill Books', 'Second'])
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
  const run = (...argv: string[]) => world.run([...argv, '--sandbox', '--dialect', dialect])
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

test('an older file that cannot be read is kept too, and a folder in its place is refused before anything is sent', async () => {
  const world = new World()
  onTestFinished(() => world.remove())
  const path = (name: string) => join(world.folder, name)
  writeFileSync(path('s.yaml'), 'name: Second\n')
  writeFileSync(path('before.yaml'), 'name: Of somebody else\n')
  chmodSync(path('before.yaml'), 0o000)
  const apply = (file: string) => world.run(`--sandbox projects apply 1 -f s.yaml --previous ${file} --yes`.split(' '))
  expect(await apply('before.yaml')).toMatchObject({ code: 0, stderr: expect.stringContaining('are kept in ') })
  expect([existsSync(path('before.yaml.1')), readFileSync(path('before.yaml'), 'utf8')]).toEqual([
    true,
    expect.stringContaining('name: Juniper & Quill Books\n'),
  ])

  writeFileSync(path('s.yaml'), 'name: Third\n')
  mkdirSync(path('loop'))
  symlinkSync('1.yaml', path('loop/1.yaml'))
  expect(await apply('loop')).toMatchObject({ code: 2, stderr: expect.stringContaining('--previous: ') })

  mkdirSync(path('previous/1.yaml'), { recursive: true })
  const { code, stderr } = await apply('previous')
  expect([code, stderr]).toEqual([2, expect.stringContaining('1.yaml cannot be written: that is a folder')])
  const { stdout } = await world.run('--sandbox projects get 1 -o json --query name'.split(' '))
  expect(stdout).toBe('"Second"\n')
})
