/** `projects diff` and `apply` of many projects, over real HTTP with faults and on the sandbox. */
import { existsSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { newWorld } from '../world.ts'
import { manifestOf, startFleet } from './fleet-service.ts'

const files = { 'fleet.yaml': manifestOf(30), 'base.yaml': 'timezone: Europe/Berlin\n' }
const apply = 'apply --manifest fleet.yaml --yes'

test.for([
  ['', 1],
  [' --keep-going', 4],
] as const)('apply%s: two GETs and one PATCH for each project that differs, one GET for each other, at most %i at a time', async ([
  option,
  width,
]) => {
  const { run, projects, running } = await startFleet({ files })
  for (let id = 1; id <= 10; id++) Object.assign(projects.get(id) ?? {}, { timezone: 'Europe/Berlin' })
  const first = await run(`${apply} -o json${option}`)
  expect([first.code, first.gets, first.patches]).toEqual([0, 30 + 20, 20])
  expect([running.mostPatches <= width, running.mostPatches > 1]).toEqual([true, width > 1])
  expect(JSON.parse(first.stdout)).toHaveLength(20)
  expect(JSON.parse(first.stdout)[0]).toEqual({ project: '11', field: 'timezone', from: 'UTC', to: 'Europe/Berlin' })
  const second = await run(apply)
  expect([second.code, second.gets, second.patches]).toEqual([0, 30, 0])
  expect(second.stderr).toBe('Compared 30 projects with fleet.yaml: no changes\n')
})

test('one mistake in one file: nothing is sent, and every mistake of every file is named', async () => {
  const { run } = await startFleet({
    files: {
      'fleet.yaml': 'defaults: [base.yaml]\nprojects: [{id: 1, files: [a.yaml]}, {id: 2, files: [b.yaml]}]\n',
      'base.yaml': 'timezone: Europe/Berln\n',
      'a.yaml': 'nmae: A\nid: 3\n',
      'b.yaml': 'is_demo: yes\napp_urls: [1, 2]\n',
    },
  })
  const { code, stderr, asked } = await run(apply)
  expect([code, asked]).toEqual([2, []])
  expect(stderr.trimEnd().split('\n')).toEqual([
    'base.yaml:1: timezone "Europe/Berln" is not one of the IANA time zones; did you mean Europe/Berlin? Names are compared letter by letter',
    'a.yaml:1: a project has no field "nmae". Did you mean name?',
    'a.yaml:2: id is read-only: the service sets it. Take it out of the file',
    'b.yaml:1: is_demo must be a boolean, not the string "yes". yes is text in YAML 1.2: write true',
    'b.yaml:2: app_urls item 1 must be a string, not the number "1". Write it in quotes: "1"',
    'b.yaml:2: app_urls item 2 must be a string, not the number "2". Write it in quotes: "2"',
    'The settings have 6 mistakes; nothing was sent.',
    'Correct the lines above.',
  ])
})

test('an empty file beside another one, as where it was cut off, is a mistake: nothing is compared or sent', async () => {
  const { run } = await startFleet({
    size: 2,
    files: {
      'fleet.yaml': 'projects: [{id: 1, files: [empty.yaml]}, {id: 2, files: [base.yaml]}]\n',
      'other.yaml': 'projects: [{id: 1, files: [comments.yaml]}, {id: 2, files: [base.yaml]}]\n',
      'base.yaml': 'timezone: UTC\n',
      'empty.yaml': '',
      'comments.yaml': '# timezone: Europe/Berlin\n',
    },
  })
  for (const [line, name] of [
    ['diff --manifest fleet.yaml', 'empty.yaml'],
    ['apply --manifest fleet.yaml --yes', 'empty.yaml'],
    ['apply --manifest fleet.yaml --check', 'empty.yaml'],
    ['apply 1 -f base.yaml -f empty.yaml --yes', 'empty.yaml'],
    ['apply --manifest other.yaml --check', 'comments.yaml'],
  ] as const) {
    const { code, stderr, asked } = await run(line)
    expect([code, asked]).toEqual([2, []])
    expect(stderr).toContain(`There are no settings in ${name}.`)
  }
})

test('a project that cannot be read: nothing is sent; with --keep-going the others are changed', async () => {
  const { run } = await startFleet({
    files,
    fault: (_, id) => (id === 7 ? { status: 404, body: { detail: 'Not found.' } } : undefined),
  })
  const stopped = await run(apply)
  expect([stopped.code, stopped.patches]).toEqual([3, 0])
  expect(stopped.stderr).toMatch(/^Project 7 was not found\.\nCheck the id .*\n$/)
  const going = await run(`${apply} --keep-going`)
  expect([going.code, going.patches]).toEqual([8, 29])
  expect(going.stderr).toContain('1 of 30 projects failed')
})

test.for([
  [1, 400, 5],
  [12, 400, 5],
  [12, 403, 4],
] as const)('project %i is answered %i: no later one is sent anything, and the same command finishes the rest', async ([
  refused,
  status,
  exit,
]) => {
  let broken = true
  const { run, projects } = await startFleet({
    files,
    fault: ({ method }, id) =>
      broken && method === 'PATCH' && id === refused ? { status, body: { detail: 'Not today.' } } : undefined,
  })
  const ids = [...projects.keys()]
  const first = await run(`${apply} -o json`)
  expect([first.code, first.patches]).toEqual([exit, refused])
  const changed = ids.filter(id => projects.get(id)?.timezone !== 'UTC')
  expect(changed).toEqual(ids.slice(0, refused - 1))
  expect(JSON.parse(first.stdout).map(({ project }: { project: string }) => Number(project))).toEqual(changed)
  expect(first.stderr).toMatch(
    RegExp(`Failed: 1 setting to change of project ${refused} \\(Shop ${refused}, .*Not today`),
  )
  const left = ids.slice(refused).join(', ')
  expect(first.stderr).toContain(`Not attempted: project ${left}; the same command changes what is left`)
  broken = false
  const second = await run(apply)
  expect([second.code, second.patches]).toEqual([0, 30 - changed.length])
  expect([...projects.values()].every(({ timezone }) => timezone === 'Europe/Berlin')).toBe(true)
})

test('--keep-going changes all others and ends with 8', async () => {
  const { run } = await startFleet({
    files,
    fault: ({ method }, id) =>
      method === 'PATCH' && id % 10 === 0 ? { status: 400, body: { detail: 'No.' } } : undefined,
  })
  const { code, patches, stderr } = await run(`${apply} --keep-going`)
  expect([code, patches]).toEqual([8, 30])
  expect(stderr).toContain('3 of 30 projects failed')
})

test.for([
  ['GET', 401, 4],
  ['PATCH', 401, 4],
  ['PATCH', 429, 6],
] as const)('--keep-going stops at what concerns all projects: %s is answered %i, and the exit code is %i', async ([
  method,
  status,
  exit,
]) => {
  const { run } = await startFleet({
    files,
    fault: asked => {
      if (asked.path.includes('/projects/2/')) return { status: 403, body: { detail: 'Not this one.' } }
      return asked.method === method ? { status, body: { detail: 'No.' } } : undefined
    },
  })
  const { code, stderr, asked, patches } = await run(`${apply} --keep-going --retries 0`)
  expect([code, stderr.includes('projects failed')]).toEqual([exit, false])
  expect(method === 'GET' ? asked.length : patches).toBeLessThanOrEqual(4)
  expect(stderr.trimEnd().split('\n').slice(-2).join('\n')).not.toContain('Not this one')
})

test('--keep-going goes on where one project was changed by somebody, or did not apply the change', async () => {
  const { run } = await startFleet({
    files,
    fault: ({ method }, id) =>
      method === 'PATCH' && id === 3 ? { status: 200, body: { id, name: 'Shop 3', timezone: 'UTC' } } : undefined,
    onRead: (project, reads) => {
      if (project.id === 2 && reads === 2) project.timezone = 'Asia/Tokyo'
    },
  })
  const { code, patches, stderr } = await run(`${apply} --keep-going`)
  expect([code, patches]).toEqual([8, 29])
  expect(stderr).toContain('2 of 30 projects failed')
})

test('what changes between the comparison and the write is 10, and nothing is sent to that project, nor to any after it', async () => {
  const { run } = await startFleet({
    files,
    onRead: (project, reads) => {
      if (project.id === 20 && reads === 2) project.timezone = 'Asia/Tokyo'
    },
  })
  const { code, patches, stderr } = await run(apply)
  expect([code, patches]).toEqual([10, 19])
  expect(stderr).toContain('Somebody changed timezone of project 20 (Shop 20')
})

test('a change of somebody else while the projects before are changed is not overwritten', async () => {
  const { run, projects } = await startFleet({
    size: 3,
    files: { 'base.yaml': 'timezone: Europe/Berlin\n' },
    fault({ method }, id) {
      // While the first project is changed, somebody changes the third.
      if (method === 'PATCH' && id === 1) Object.assign(projects.get(3) ?? {}, { timezone: 'Asia/Tokyo' })
      return undefined
    },
  })
  const { code, patches, stderr } = await run('apply 1 2 3 -f base.yaml --yes')
  expect([code, patches, projects.get(3)?.timezone]).toEqual([10, 2, 'Asia/Tokyo'])
  expect(stderr).toContain('Somebody changed timezone of project 3 (Shop 3')
})

test('one question for all: the number of projects that change is typed', async () => {
  const { run } = await startFleet({ files })
  const declined = await run('apply --manifest fleet.yaml', { answers: ['y', 'y', 'y', 'y'] })
  expect([declined.code, declined.patches]).toEqual([10, 0])
  const agreed = await run('apply --manifest fleet.yaml', { answers: ['30'] })
  expect([agreed.code, agreed.patches]).toEqual([0, 30])
  expect(agreed.stderr).toContain('project 30 (Shop 30, ')
  expect(agreed.stdout).toMatch(
    /^project 1 \(Shop 1, .*\):\n- timezone: UTC\n\+ timezone: Europe\/Berlin\n\nproject 2 /,
  )
  expect(agreed.stdout).toMatch(/\n\nProject {2}Name {5}Result\n1 {8}Shop 1 {3}Changed 1 setting\n/)
})

test('what comes from a service that answers 429 and 500 now and then is the same', async () => {
  const { run, projects } = await startFleet({
    files,
    fault: (() => {
      let n = 0
      return () => (++n % 7 === 0 ? { status: n % 2 ? 500 : 429, body: { detail: 'Later.' } } : undefined)
    })(),
  })
  expect((await run(apply)).code).toBe(0)
  expect([...projects.values()].every(({ timezone }) => timezone === 'Europe/Berlin')).toBe(true)
})

test('several ids get the same files, but not the same name', async () => {
  const { run } = await startFleet({ files: { 's.yaml': 'name: Shop\ntimezone: Europe/Berlin\n' } })
  const refused = await run('apply 1 2 -f s.yaml --yes')
  expect([refused.code, refused.asked]).toEqual([2, []])
  expect(refused.stderr).toBe(
    's.yaml:1: name would be given to several projects.\nTake it out of the file, or pass --except name.\n',
  )
  const { code, stdout } = await run('diff 1 2 2 -f s.yaml --except name -o ndjson')
  expect(code).toBe(9)
  expect(stdout.trimEnd().split('\n')).toHaveLength(2)
  expect((await run('apply 1 2 -f s.yaml --only timezone --yes')).patches).toBe(2)
  // Named once, it is one project: its own shape, and its name may change.
  expect(JSON.parse((await run('diff 1 1 -f s.yaml -o json')).stdout)[0]).toEqual({
    field: 'name',
    from: 'Shop 1',
    to: 'Shop',
  })
})

test.skipIf(process.platform === 'win32').each(['./shop.yaml', 'folder/../shop.yaml', 'link.yaml', '$PWD/shop.yaml'])(
  'a name in shop.yaml and %s would be given to several projects',
  async other => {
    const { run, world } = await startFleet({ files: { 'shop.yaml': 'name: Shop\n' } })
    const manifest = `projects: [{id: 1, files: [shop.yaml]}, {id: 2, files: ["${other.replace('$PWD', world.folder)}"]}]`
    writeFileSync(join(world.folder, 'pair.yaml'), manifest)
    symlinkSync('shop.yaml', join(world.folder, 'link.yaml'))
    const { code, asked, stderr } = await run('apply --manifest pair.yaml --yes')
    expect([code, asked]).toEqual([2, []])
    expect(stderr).toContain('shop.yaml:1: name would be given to several projects')
  },
)

test.each(['apply', 'diff'])('%s of @current and another: they may be one project', async verb => {
  const { run } = await startFleet({ files: { 's.yaml': 'timezone: Europe/Berlin\n' } })
  const { code, asked, stderr } = await run(`${verb} 1 @current -f s.yaml${verb === 'apply' ? ' --yes' : ''}`)
  expect([code, asked]).toEqual([2, []])
  expect(stderr).toContain('@current cannot be combined')
})

test('--only, --except and --only-project choose, and say what they do not know', async () => {
  const { run } = await startFleet({ files: { ...files, 'base.yaml': 'timezone: Europe/Berlin\nis_demo: true\n' } })
  const { stdout } = await run(
    'diff --manifest fleet.yaml --only-project 3 --only-project 5 --except is_demo -o ndjson',
  )
  expect(stdout.match(/"project":"\d"/g)).toEqual(['"project":"3"', '"project":"5"'])
  for (const [line, said] of [
    ['diff --manifest fleet.yaml --only-project 99', '--only-project 99: fleet.yaml has no such project'],
    ['diff 1 -f base.yaml --only time_zone', 'Did you mean timezone?'],
    ['diff 1 -f base.yaml --only name', '--only and --except leave no field of base.yaml'],
    ['diff 1 -f base.yaml --only-project 1', '--only-project chooses among the projects of a manifest'],
    ['apply 1 --manifest fleet.yaml', '--manifest cannot be combined with ids'],
    ['apply --manifest fleet.yaml -f base.yaml', '--manifest cannot be combined with -f'],
    ['pull 1 --except nmae', 'Did you mean name?'],
  ] as const) {
    const { code, stderr, asked } = await run(line)
    expect([line, code, asked]).toEqual([line, 2, []])
    expect(stderr).toContain(said)
  }
})

test('a manifest is checked as a whole, with its lines', async () => {
  const manifest =
    'default: [a.yaml]\nprojects:\n  - id: x\n  - {id: 1, file: [a.yaml]}\n  - {id: 2, files: a.yaml}\n  - {id: 2, files: [a.yaml]}\n'
  const { run } = await startFleet({ files: { 'fleet.yaml': manifest, 'a.yaml': 'timezone: UTC\n' } })
  const { code, stderr } = await run(apply)
  expect(code).toBe(2)
  expect(stderr).toContain('fleet.yaml:1: a manifest has no "default" there. Did you mean defaults?')
  expect(stderr).toContain('fleet.yaml:3: a project needs an id, which is an integer')
  expect(stderr).toContain('fleet.yaml:4: a manifest has no "file" there. Did you mean files?')
  expect(stderr).toContain('fleet.yaml:4: project 1 has no files')
  expect(stderr).toContain('fleet.yaml:5: files must be a list of file names')
  expect(stderr).toContain('fleet.yaml:6: project 2 is listed twice')
})

test('a value that is missing or given twice hides no other mistake of a manifest', async () => {
  const manifest =
    'default: [a.yaml]\nprojects:\n  - id:\n  - {id: 1, id: 1, files: [b.yaml]}\n  - {id: 2, files: a.yaml}\ndefaults:\n'
  const { run } = await startFleet({ files: { 'fleet.yaml': manifest } })
  const { code, stderr } = await run(apply)
  expect(code).toBe(2)
  expect(stderr.split('\n').map(line => line.replace(/(?<=[.?]) .*/, ''))).toEqual([
    'fleet.yaml:1: a manifest has no "default" there.',
    'fleet.yaml:3: id has no value.',
    'fleet.yaml:4: id is given twice.',
    'fleet.yaml:5: files must be a list of file names.',
    'fleet.yaml:5: project 2 has no files.',
    'fleet.yaml:6: defaults has no value.',
    'The settings have 6 mistakes; nothing was sent.',
    'Correct the lines above.',
    '',
  ])
})

test('a manifest without a list of projects is told what else is wrong with it', async () => {
  const { run } = await startFleet({ files: { 'fleet.yaml': 'default: [a.yaml]\nproject: [{id: 1}]\n' } })
  const { stderr } = await run(apply)
  expect(stderr).toContain('fleet.yaml:1: there is no list of projects')
  expect(stderr).toContain('fleet.yaml:2: a manifest has no "project" there. Did you mean projects?')
})

test('one summary with a section for each project, a name in each', async () => {
  const { run, world } = await startFleet({ size: 3, files: { ...files, 'fleet.yaml': manifestOf(3) } })
  await run('diff --manifest fleet.yaml --markdown summary.md')
  const summary = readFileSync(join(world.folder, 'summary.md'), 'utf8')
  expect(summary.match(/^### 1 setting to change: `project \d \(127/gm)).toHaveLength(3)
  expect(summary).toContain('| `Shop 2` | `timezone` | `UTC` | `Europe/Berlin` |')
  expect(summary.match(/Shop 2/g)).toHaveLength(1)
})

test.for([
  ['--check', 8, '1 setting to change'],
  ['--dry-run', 0, 'Would change 1 setting'],
  ['--yes', 8, 'Changed 1 setting'],
] as const)('apply %s: the summary has a section for each project that cannot be read, and says why', async ([
  flag,
  exit,
  title,
]) => {
  const why = 'No. @org [a](https://a.example.com) test-key-0123456789'
  const { run, world } = await startFleet({
    size: 4,
    files: { ...files, 'fleet.yaml': manifestOf(4) },
    fault: (_, id) => (id === 2 || id === 3 ? { status: 403, body: { detail: why } } : undefined),
  })
  const { code } = await run(`apply --manifest fleet.yaml --keep-going --markdown summary.md ${flag}`)
  expect(code).toBe(exit)
  const summary = readFileSync(join(world.folder, 'summary.md'), 'utf8')
  const headings = summary.match(/^###.*(?= \()/gm)
  expect(headings).toEqual([
    `### ${title}: \`project 1`,
    `### ${title}: \`project 4`,
    '### Cannot be read: `project 2',
    '### Cannot be read: `project 3',
  ])
  expect(summary).toMatch(/^`[^`]*No\. @org \[a\]\(https:\/\/a\.example\.com\) [^`]*`$/m)
  expect(summary).not.toContain('test-key')
})

test('a summary of projects of which none can be read names each of them', async () => {
  const { run, world } = await startFleet({ size: 1, files })
  expect((await run('apply 8 9 -f base.yaml --keep-going --markdown summary.md --yes')).code).toBe(8)
  const summary = readFileSync(join(world.folder, 'summary.md'), 'utf8')
  expect(summary.replaceAll(/127[^)]+/g, 'HOST').split('\n')).toEqual([
    '### Cannot be read: `project 8 (HOST)`',
    '',
    '`Project 8 was not found`',
    '',
    '### Cannot be read: `project 9 (HOST)`',
    '',
    '`Project 9 was not found`',
    '',
  ])
})

test('--rate holds for all projects together', async () => {
  const { run, world } = await startFleet({ size: 5, files: { ...files, 'fleet.yaml': manifestOf(5) } })
  const before = world.now
  await run(`${apply} --rate 1/s`)
  expect(world.now - before).toBeGreaterThanOrEqual(14_000)
})

test('--previous saves each project that changes, readable by its owner only, and puts it back', async () => {
  const { run, world, projects } = await startFleet({ size: 3, files: { ...files, 'fleet.yaml': manifestOf(3) } })
  const before = JSON.stringify([...projects.values()])
  Object.assign(projects.get(3) ?? {}, { timezone: 'Europe/Berlin' })
  await run(`${apply} --previous before`)
  const folder = join(world.folder, 'before')
  expect(readdirSync(folder).sort()).toEqual(['1.yaml', '2.yaml'])
  expect(statSync(join(folder, '1.yaml')).mode & 0o777).toBe(0o600)
  Object.assign(projects.get(3) ?? {}, { timezone: 'UTC' })
  for (const id of [1, 2]) expect((await run(`apply ${id} -f before/${id}.yaml --yes`)).code).toBe(0)
  expect(JSON.stringify([...projects.values()])).toBe(before)
  Object.assign(projects.get(3) ?? {}, { timezone: 'Moon/Sea' })
  const lost = await run(`${apply} --previous moon`)
  expect([lost.code, lost.stderr]).toEqual([
    10,
    expect.stringMatching(/cannot hold the values of project 3 .* for timezone \("Moon\/Sea" is not one of/),
  ])
  expect([lost.patches, readdirSync(join(world.folder, 'moon'))]).toEqual([0, []])
  expect((await run(`${apply} --previous base.yaml`)).code).toBe(2)
  expect((await run('apply 1 -f before/1.yaml --previous base.yaml/1.yaml --yes')).code).toBe(2)
  await run(`${apply} --previous dry --dry-run`)
  expect(existsSync(join(world.folder, 'dry'))).toBe(false)
})

test.for([
  'apply 1 -f 1.yaml --previous 1.yaml',
  'apply 1 -f base.yaml -f 1.yaml --previous .',
  'apply 1 -f 1.yaml --markdown ./1.yaml',
  'apply 1 -f 1.yaml --output-file 1.yaml',
  'apply 1 -f 1.yaml --previous x --markdown x',
  'apply --manifest fleet.yaml --previous .',
  'apply --manifest fleet.yaml --markdown fleet.yaml',
  'apply 1 2 -f base.yaml --previous . --markdown 2.yaml',
  'apply 1 2 -f base.yaml --previous new --markdown ./new --yes',
  'apply 1 2 -f base.yaml --previous new --output-file new --yes',
  'apply 1 2 -f base.yaml --previous new/a/a --markdown new --dry-run',
  'apply 1 2 -f base.yaml --previous new/a/a --output-file new --yes',
  'apply 1 -f link.yaml --previous .',
  'diff 1 -f 1.yaml --markdown 1.yaml',
  'create -f 1.yaml --output-file 1.yaml',
])('%s: no output takes the place of a file that is read, or of another output', async line => {
  const { run, world } = await startFleet({
    size: 1,
    files: { ...files, 'fleet.yaml': 'projects: [{id: 1, files: [1.yaml]}]\n', '1.yaml': 'name: Shop\n' },
  })
  symlinkSync('1.yaml', join(world.folder, 'link.yaml'))
  const { code, stderr, asked } = await run(line)
  expect([code, asked]).toEqual([2, []])
  expect(stderr).toContain('name the same file')
  expect(readFileSync(join(world.folder, '1.yaml'), 'utf8')).toBe('name: Shop\n')
  expect(existsSync(join(world.folder, 'new'))).toBe(false)
})

test.for(['documented', 'observed'])('thirty projects of the sandbox, %s', async dialect => {
  const world = newWorld()
  const run = (...argv: string[]) => world.run(argv, { env: { ANALYTICS_SANDBOX: dialect } })
  for (let id = 3; id <= 30; id++) await run('projects', 'create', '--name', `Shop ${id}`)
  writeFileSync(join(world.folder, 'fleet.yaml'), manifestOf(30))
  writeFileSync(join(world.folder, 'base.yaml'), 'timezone: Asia/Tokyo\nsession_recording_sample_rate: "0.25"\n')
  expect((await run('projects', 'apply', '--manifest', 'fleet.yaml', '--yes')).code).toBe(0)
  expect((await run('projects', 'diff', '--manifest', 'fleet.yaml')).code).toBe(0)
})
