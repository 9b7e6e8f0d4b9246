/** Values from the environment: only those that the command line allows, masked wherever they are shown. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startFleet } from './fleet-service.ts'

const secret = 'made-up-deploy-token'
const env = { TOKEN: secret, OTHER: 'made-up-other' }
const files = {
  's.yaml': `name: \${TOKEN}\ntimezone: Europe/Berlin\n`,
  'f.yaml': `extra_settings: {a: ["\${TOKEN}"]}\n`,
}

test('a variable that the command line does not allow is refused with file and line, before any request', async () => {
  const { run } = await startFleet({ size: 1, files })
  for (const command of ['diff', 'apply --yes', 'apply --check', 'create', 'diff --env OTHER']) {
    const { code, stderr, asked } = await run(`${command} -f s.yaml`, { env })
    expect([code, asked]).toEqual([2, []])
    expect(stderr).toMatch(/^s\.yaml:1: name takes its value from the variable TOKEN/)
    expect(stderr).not.toContain(secret)
  }
  expect((await run('diff -f s.yaml --only timezone', { env })).code).toBe(9)
})

test.each([
  'X:-default',
  ' X ',
  '1X',
  'a.b',
])('%j between braces names no variable, whatever the command line allows', async name => {
  const { run } = await startFleet({ size: 1, files: { 's.yaml': `name: "$\{${name}}"\n` } })
  const { code, stderr, asked } = await run('diff -f s.yaml', { env })
  expect([code, asked]).toEqual([2, []])
  expect(stderr).toContain('s.yaml:1: name names no variable between its braces.\nWrite $')
})

test.each(['TOKEN=x', '', 'A,,B'])('--env %j is no name', async name => {
  const { world, run } = await startFleet({ size: 1, files })
  const { code, stderr } = await world.run(['projects', 'diff', '1', '-f', 's.yaml', '--env', name])
  expect([code, stderr]).toEqual([2, expect.stringContaining('--env: that is not the name of a variable')])
  expect((await run('diff 1 -f s.yaml --env TOKEN,OTHER', { env })).code).toBe(9)
})

test('the text in place of a variable is not shown where it may be a secret', async () => {
  const hook = 'https://hooks.example.com/made-up-hook'
  const { world, run } = await startFleet({
    size: 1,
    files: { ...files, 'w.yaml': `slack_incoming_webhook: "$\{HOOK:-${hook}}"\n` },
  })
  const ofFile = await run('diff -f w.yaml')
  expect([ofFile.code, ofFile.stderr]).toEqual([
    2,
    expect.stringContaining('w.yaml:1: slack_incoming_webhook names no variable between its braces.'),
  ])
  const ofOption = await world.run(['projects', 'diff', '1', '-f', 's.yaml', '--env', `HOOK=${hook}`])
  expect([ofOption.code, ofOption.stderr]).toEqual([2, expect.stringContaining('--env: that is not the name')])
  const expanded = await world.run(['projects', 'diff', '1', '-f', 's.yaml', '--env', hook])
  expect([expanded.code, expanded.stderr]).toEqual([2, expect.stringContaining('--env: that is not the name')])
  expect(ofFile.stderr + ofOption.stderr + expanded.stderr).not.toContain('made-up-hook')
})

test('a variable within a longer text stays text, and that is said with file and line', async () => {
  const part = `name: Shop\nrecording_domains: ['https://\${TOKEN}.example.com']\n`
  const deep = `name: $\${TOKEN}\nextra_settings: {a: ["x \${TOKEN}", "$ {TOKEN} {} \${1}"]}\n`
  const { run } = await startFleet({ size: 1, files: { 'part.yaml': part, 'deep.yaml': deep } })
  const reason = `holds \${TOKEN} as text: only a value that is nothing else is taken from a variable`
  for (const [file, place] of [
    ['part.yaml', 'part.yaml:2: recording_domains item 1'],
    ['deep.yaml', 'deep.yaml:2: extra_settings'],
  ]) {
    const { code, stderr } = await run(`diff -f ${file} --env TOKEN`, { env })
    expect([code, stderr.split(reason).length - 1]).toEqual([9, 1])
    expect(stderr).toContain(`${place} ${reason}`)
  }
  const { stderr } = await run('diff -f part.yaml --env TOKEN --only name', { env })
  expect(stderr).not.toContain(reason)
})

test('the values are masked in every format, in the summary, in a dry run and in what is said', async () => {
  const echo = { status: 400, body: { detail: `${secret} is not a name`, attr: 'name' } }
  const { run, world, projects } = await startFleet({
    size: 2,
    files,
    fault: ({ method, body }) => (method === 'PATCH' && body.includes('"Europe/Berlin"') ? echo : undefined),
  })
  Object.assign(projects.get(1) ?? {}, { name: 'Old name', timezone: `x ${secret}` })
  for (const format of ['table', 'json', 'ndjson', 'csv', 'tsv', 'yaml', 'ids']) {
    for (const command of [
      'diff',
      'apply --check',
      'apply --yes --dry-run',
      'apply --yes',
      'apply 1 2 --except name --yes',
    ]) {
      const file = command.includes('except') ? 'f.yaml' : 's.yaml'
      const { stdout, stderr } = await run(`${command} -f ${file} --env TOKEN --markdown m.md -o ${format}`, { env })
      const summary = readFileSync(join(world.folder, 'm.md'), 'utf8')
      expect([command, format, (stdout + stderr + summary).includes(secret)]).toEqual([command, format, false])
      if (!command.includes('except')) expect(stdout + stderr + summary).not.toContain('"Old name"')
      if (command === 'apply 1 2 --except name --yes') Object.assign(projects.get(2) ?? {}, { extra_settings: null })
    }
  }
  const { stdout } = await run('diff -f s.yaml --env TOKEN --reveal -o json', { env })
  expect(JSON.parse(stdout)[0]).toEqual({ field: 'name', from: 'Old name', to: secret })
})

test.each([
  ['another project uses it', 'diff --manifest fleet.yaml'],
  ['another project uses it, and it is applied', 'apply --manifest fleet.yaml --yes'],
  ['a later file has another value for its field', 'diff 2 -f base.yaml -f over.yaml'],
  ['its field is not chosen', 'diff 2 -f used.yaml -f over.yaml --except path_cleaning_filters'],
  ['its own project has it elsewhere', 'diff 2 -f used.yaml -f over.yaml'],
])('a value is masked in other fields too where %s', async (_, command) => {
  const { run, projects } = await startFleet({
    size: 2,
    files: {
      'fleet.yaml': 'projects: [{id: 1, files: [used.yaml]}, {id: 2, files: [over.yaml]}]\n',
      'used.yaml': `path_cleaning_filters: ["\${TOKEN}"]\n`,
      'base.yaml': `extra_settings: {k: "\${TOKEN}"}\n`,
      'over.yaml': 'extra_settings: {k: other}\napp_urls: []\n',
    },
  })
  for (const [ending, format] of [
    ['', 'table'],
    ['', 'json'],
    ['\n', 'json'],
  ]) {
    for (const project of projects.values()) {
      Object.assign(project, { extra_settings: { k: secret }, app_urls: [`https://shop.example.com/${secret}`] })
    }
    const { stdout, stderr } = await run(`${command} --env TOKEN -o ${format}`, { env: { TOKEN: secret + ending } })
    expect(stdout).toContain('https://shop.example.com/***')
    expect((stdout + stderr).includes(secret)).toBe(false)
  }
})

const unused = [
  'made-up-token',
  'made "up" \\ token',
  'made|up `<token>` & more',
  'made-up-first\nmade-up-second',
  '4711471147',
]

test.each(
  unused,
)('the value %j of a variable that no file uses is masked, also in what was there and in names', async value => {
  const { run, world, projects } = await startFleet({
    size: 2,
    files: { 's.yaml': 'app_urls: [a]\nextra_settings: {k: other}\nprimary_dashboard: 7\n' },
    fault: ({ method }) =>
      method === 'PATCH' ? { status: 400, body: { detail: `Not with ${value}`, attr: 'app_urls' } } : undefined,
  })
  const shown = [value, JSON.stringify(value).slice(1, -1), value.replace(/\n/g, ' ')]
  const escaped = value.replace(/[!-/:-@[-`{-~]/g, character => `&#${character.charCodeAt(0)};`)
  for (const project of projects.values()) {
    const there = {
      app_urls: [`x ${value}`],
      extra_settings: { [value]: value },
      name: `The ${value}`,
      primary_dashboard: 4711471147,
    }
    Object.assign(project, there)
  }
  for (const format of ['table', 'json', 'ndjson', 'csv', 'tsv', 'yaml']) {
    for (const command of [
      'diff',
      'diff 1 2',
      'apply --check',
      'apply --dry-run',
      'apply --yes',
      'apply 1 2 --yes --keep-going',
    ]) {
      const line = `${command} -f s.yaml --env TOKEN --markdown m.md -o ${format}`
      const { stdout, stderr } = await run(line, { env: { TOKEN: value } })
      const all = stdout + stderr + readFileSync(join(world.folder, 'm.md'), 'utf8')
      expect([line, [...shown, escaped].filter(text => all.includes(text))]).toEqual([line, []])
      expect(all).toContain('***')
    }
  }
  const { stdout } = await run('diff -f s.yaml --env TOKEN --reveal -o json', { env: { TOKEN: value } })
  expect(JSON.parse(stdout)[0].from).toEqual([`x ${value}`])
})

test('a field whose name is the value of a variable is shown all the same', async () => {
  const { run } = await startFleet({ size: 1, files: { 's.yaml': 'timezone: Europe/Berlin\n' } })
  const { stdout } = await run('diff -f s.yaml --env TOKEN -o json', { env: { TOKEN: 'timezone' } })
  expect(JSON.parse(stdout)).toEqual([{ field: 'timezone', from: 'UTC', to: 'Europe/Berlin' }])
})

test('a value of fewer than eight characters is masked only in its own field', async () => {
  const { run } = await startFleet({
    size: 1,
    files: { 's.yaml': `name: "\${TOKEN}"\napp_urls: [b]\n` },
    onRead: project => {
      Object.assign(project, { name: 'Old', app_urls: ['short'] })
    },
  })
  const { stdout } = await run('diff -f s.yaml --env TOKEN -o json', { env: { TOKEN: 'short' } })
  expect(JSON.parse(stdout)).toEqual([
    { field: 'app_urls', from: ['short'], to: ['b'] },
    { field: 'name', from: '***', to: '***' },
  ])
})

test('a project created without a file shows no value that --env names', async () => {
  const { run } = await startFleet({
    size: 1,
    fault: ({ method, body }) =>
      method === 'POST'
        ? { status: 201, body: { id: 9, ...JSON.parse(body), app_urls: [`https://${secret}`] } }
        : undefined,
  })
  for (const more of ['', ' --dry-run']) {
    const { stdout, stderr, code } = await run(`create --name ${secret} --env TOKEN -o json${more}`, { env })
    expect([code, (stdout + stderr).includes(secret)]).toEqual([0, false])
  }
})

test('a project created from a file shows no value of the environment', async () => {
  const { run } = await startFleet({
    size: 1,
    files,
    fault: ({ method, body }) =>
      method === 'POST'
        ? { status: 201, body: { id: 9, ...JSON.parse(body), app_urls: [`https://${secret}`] } }
        : undefined,
  })
  for (const format of ['table', 'json', 'yaml']) {
    for (const more of ['', ' --dry-run']) {
      const { stdout, stderr, code } = await run(`create -f s.yaml --env TOKEN -o ${format}${more}`, { env })
      expect([code, (stdout + stderr).includes(secret)]).toEqual([0, false])
    }
  }
})

test('a project created from a file shows no value of a field that an option or a later file replaces', async () => {
  const { run } = await startFleet({
    size: 1,
    files: { ...files, 'over.yaml': 'name: Shop\n' },
    fault: ({ method, body }) =>
      method === 'POST'
        ? { status: 201, body: { id: 9, ...JSON.parse(body), app_urls: [`https://${secret}`] } }
        : undefined,
  })
  for (const options of ['--name Shop', '-f over.yaml']) {
    const { stdout, code } = await run(`create -f s.yaml ${options} --env TOKEN -o json`, { env })
    expect([code, JSON.parse(stdout)]).toMatchObject([0, { name: 'Shop', app_urls: ['https://***'] }])
  }
})

test('a variable that holds the key in use is refused, whatever its name is and however it is written', async () => {
  const { run } = await startFleet({ size: 1, files })
  const key = 'test-key-0123456789'
  for (const held of [key, `Bearer ${key}`, Buffer.from(key).toString('base64'), key.replace('-', '%2D')]) {
    for (const command of ['diff', 'apply --yes', 'create']) {
      const { code, stderr, asked } = await run(`${command} -f s.yaml --env TOKEN`, { env: { TOKEN: held } })
      expect([code, asked]).toEqual([2, []])
      expect(stderr).toBe('--env TOKEN: the variable holds the key in use.\nName another variable.\n')
    }
    expect((await run('diff -f f.yaml --env TOKEN,OTHER', { env: { OTHER: held, TOKEN: 'x' } })).code).toBe(2)
  }
  expect((await run('diff -f s.yaml --env ANALYTICS_API_KEY')).code).toBe(2)
})

test('the key in use is no setting, also where it stands in the file', async () => {
  const { run, world } = await startFleet({ size: 1 })
  for (const [field, value] of Object.entries({
    name: 'test-key-0123456789',
    extra_settings: '{"a":["x test-key-0123456789"]}',
  })) {
    writeFileSync(join(world.folder, 's.yaml'), `${field}: ${value}\n`)
    for (const command of ['diff', 'apply --yes', 'create -o json --dry-run']) {
      const { code, stdout, stderr, asked } = await run(`${command} -f s.yaml`)
      expect([code, asked, stdout]).toEqual([2, [], ''])
      expect(stderr).toContain(`${field} holds the key in use`)
      expect(stderr).not.toContain('test-key')
    }
  }
})
