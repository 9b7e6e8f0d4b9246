import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { World } from '../world.ts'

function start() {
  const world = new World()
  onTestFinished(() => world.remove())
  const run = (line: string) => world.run(line.split(' '), { env: { ANALYTICS_SANDBOX: 'observed' } })
  return { run, put: (text: string) => writeFileSync(join(world.folder, 's.yaml'), text), world }
}

test('pull says how many fields it leaves out, and with --undocumented writes them as comments, secrets without value', async () => {
  const { run } = start()
  const plain = await run('projects pull 1')
  expect(plain.stderr).toContain(
    '12 fields that the service does not document are left out; --undocumented writes them',
  )
  expect(plain.stdout).not.toContain('heatmaps_opt_in')
  const whole = await run('projects pull 1 --undocumented')
  expect(whole.stdout).toContain('# heatmaps_opt_in: null\n')
  expect(whole.stdout).toContain('# base_currency: USD\n')
  expect(whole.stdout).toContain('# secret_api_token:\n')
  expect(whole.stdout).not.toContain('phs_')
})

test('--only and --except choose among undocumented fields too', async () => {
  const { run } = start()
  const namesIn = async (choice: string) => {
    const { stdout } = await run(`projects pull 1 --undocumented ${choice}`)
    return ['base_currency', 'secret_api_token', 'timezone'].filter(name => stdout.includes(`${name}:`))
  }
  expect(await namesIn('--only timezone')).toEqual(['timezone'])
  expect(await namesIn('--only base_currency')).toEqual(['base_currency'])
  expect(await namesIn('--except secret_api_token')).toEqual(['base_currency', 'timezone'])
  expect((await run('projects pull 1 --only timezone')).stderr).not.toContain('does not document')
})

test('apply takes a field that the project has with --undocumented only, and the second time sends nothing', async () => {
  const { run, put } = start()
  put('heatmaps_opt_in: true\nsession_replay_config: {a: 1}\n')
  const refused = await run('projects diff 1 -f s.yaml')
  expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('has no field')])
  const diff = await run('projects diff 1 -f s.yaml --undocumented')
  expect([diff.code, diff.stdout]).toEqual([9, expect.stringContaining('+ heatmaps_opt_in: true')])
  expect((await run('projects apply 1 -f s.yaml --undocumented --previous before.yaml --yes')).code).toBe(0)
  expect((await run('projects apply 1 -f s.yaml --undocumented --yes')).stderr).toContain('no changes')
  // Servers merge this one, so what they keep beside it is no difference.
  put('session_replay_config: {b: 2}\n')
  expect((await run('projects apply 1 -f s.yaml --undocumented --yes')).code).toBe(0)
  expect((await run('projects diff 1 -f s.yaml --undocumented')).code).toBe(0)
})

test('--previous with undocumented fields can be applied back by its own command', async () => {
  const { run, put, world } = start()
  put('base_currency: EUR\n')
  await run('projects apply 1 -f s.yaml --undocumented --previous before.yaml --yes')
  const before = readFileSync(join(world.folder, 'before.yaml'), 'utf8')
  expect(before).toContain('projects apply 1 -f before.yaml --undocumented')
  expect(before).toContain('base_currency: USD\n')
})

test('a field that neither the document nor the project has is refused, and a read-only one is', async () => {
  const { run, put } = start()
  put('heatmap_opt_in: true\n')
  const typo = await run('projects apply 1 -f s.yaml --undocumented --yes')
  expect([typo.code, typo.stderr]).toEqual([2, expect.stringContaining('Did you mean heatmaps_opt_in?')])
  put('api_token: x\n')
  expect((await run('projects apply 1 -f s.yaml --undocumented --yes')).code).toBe(2)
})

test('a documented field that the server has dropped is warned of and left out', async () => {
  const { run, put } = start()
  put('slack_incoming_webhook: https://hooks.example.com/x\ntimezone: Asia/Tokyo\n')
  const { code, stderr } = await run('projects apply 1 -f s.yaml --yes')
  expect([code, stderr]).toEqual([
    0,
    expect.stringContaining('does not have slack_incoming_webhook, so it is left out'),
  ])
  expect((await run('projects diff 1 -f s.yaml')).code).toBe(0)
})
