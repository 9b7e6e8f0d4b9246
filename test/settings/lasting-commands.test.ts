/** The commands in files of `pull` and `--previous` are read on another day, where no variable says where to go. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { having, serve } from '../config/shop.ts'
import { newWorld, type Options } from '../world.ts'

async function twoProfiles() {
  const world = newWorld()
  const [one, two] = await Promise.all([1, 2].map(() => serve(having({ 2: 'Fernway Tea' }))))
  const run = (line: string, options: Options = {}) => world.run(line.split(' '), options)
  for (const [name, server] of Object.entries({ one, two })) {
    const added = await run(`profiles add ${name} --base-url ${server?.url} --api-key-stdin`, {
      stdin: 'made-up-key\n',
    })
    expect(added.code).toBe(0)
  }
  const pulled = async (env: Record<string, string>, ...more: readonly string[]) => {
    const { stdout } = await world.run(['projects', 'pull', '2', '--only', 'name', ...more], { env })
    return stdout.split('\n').slice(1, 3)
  }
  return { world, run, pulled, url: one?.url ?? '' }
}

const lines = (more: string) => [
  `# To show the changes: analytics projects diff 2 -f FILE${more}`,
  '# To make them: the same with apply in place of diff',
]

test('pull names the profile, the server or the sandbox, whoever chose it', async () => {
  const { pulled, url } = await twoProfiles()
  expect(await pulled({ ANALYTICS_PROFILE: 'two' })).toEqual(lines(' --profile two'))
  expect(await pulled({})).toEqual(lines(' --profile one'))
  const key = { ANALYTICS_API_KEY: 'another-key' }
  const other = url.replace('127.0.0.1', 'localhost')
  expect(await pulled({ ...key, ANALYTICS_BASE_URL: other })).toEqual(lines(` --base-url ${other}`))
  expect(await pulled(key, '--base-url', other)).toEqual(lines(` --base-url ${other}`))
  const rehearsal = { ANALYTICS_SANDBOX: 'observed', ANALYTICS_PROFILE: 'two' }
  expect(await pulled(rehearsal)).toEqual(lines(' --sandbox'))
})

test('a line end in an option stays in its comment', async () => {
  const { pulled, url } = await twoProfiles()
  expect(await pulled({}, '--base-url', `${url}\n`)).toEqual(lines(` --base-url "${url}\\n"`))
})

test('--previous names the profile in its file and in its message, and what is next at once does not', async () => {
  const { world, run } = await twoProfiles()
  writeFileSync(join(world.folder, 's.yaml'), 'name: Elsewhere\n')
  const env = { ANALYTICS_PROFILE: 'two' }
  const { stderr } = await run('projects apply 2 -f s.yaml --previous before.yaml --yes', { env })
  const back = 'analytics projects apply 2 -f before.yaml --profile two\n'
  expect(stderr).toContain(back)
  expect(readFileSync(join(world.folder, 'before.yaml'), 'utf8')).toContain(`# To put them back: ${back}`)
  const next = await run('projects pull 2', { env })
  expect(next.stderr).toContain('Next: analytics projects diff 2 -f FILE\n')
})

test('diff names the project that it compared, whoever chose it', async () => {
  const { world, run } = await twoProfiles()
  expect((await run('profiles set one --project 9')).code).toBe(0)
  writeFileSync(join(world.folder, 's.yaml'), 'name: Elsewhere\n')
  const lastLine = async (line: string, env: Record<string, string> = {}) => {
    const { code, stderr } = await run(line, { env })
    return [code, stderr.trimEnd().split('\n').at(-1)]
  }
  const apply = [9, 'Make the changes with: analytics projects apply 2 -f s.yaml --profile one']
  expect(await lastLine('projects diff -f s.yaml', { ANALYTICS_PROJECT: '2' })).toEqual(apply)
  expect(await lastLine('projects diff -f s.yaml --project 2')).toEqual(apply)
  expect(await lastLine('projects diff 2 -f s.yaml', { ANALYTICS_PROJECT: '9' })).toEqual(apply)
})
