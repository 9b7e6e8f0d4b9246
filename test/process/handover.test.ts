/** A run that goes from machine to machine: stopped or killed on the way, its state folder copied, and finished elsewhere. */
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { needsPosix } from '../posix.ts'
import { analytics, type Env, start } from './program.ts'
import { type ServedSandbox, serveSandbox } from './sandbox.ts'

needsPosix('signals and modes')

let folder: string
let sandbox: ServedSandbox
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'analytics-handover-'))
  sandbox = await serveSandbox()
})
afterEach(async () => {
  await sandbox.close()
  rmSync(folder, { recursive: true, force: true })
})

const moves = 6

/** A machine of its own: another user, another home, and all that it has of the run is the copied folder. */
function machine(number: number): Env {
  const state = join(folder, String(number))
  if (number === 0) mkdirSync(state)
  else cpSync(join(folder, String(number - 1)), state, { recursive: true })
  // Archives and artifacts keep no modes.
  for (const path of readdirSync(state, { recursive: true, encoding: 'utf8' })) chmodSync(join(state, path), 0o755)
  return { ...sandbox.env, USER: `user-${number}`, ANALYTICS_STATE_DIR: state }
}

/** On the first machine the key is that of a profile. */
async function withProfile({ ANALYTICS_API_KEY = '', ANALYTICS_BASE_URL = '', ...env }: Env): Promise<Env> {
  const own = { ...env, ANALYTICS_CONFIG_DIR: join(folder, 'config') }
  const add = ['profiles', 'add', 'prod', '--base-url', ANALYTICS_BASE_URL, '--project', '1', '--api-key-stdin']
  expect((await analytics(add, own, ANALYTICS_API_KEY)).code).toBe(0)
  return own
}

test(`moved ${moves} times, stopped and killed on the way, it deletes each target once`, async () => {
  const list = await analytics(['persons', 'list', '--limit', '50', '-o', 'ids'], sandbox.env)
  const ids = list.stdout.trimEnd().split('\n')
  writeFileSync(join(folder, 'ids'), list.stdout)
  let argv = ['persons', 'delete', '--from', join(folder, 'ids'), '--delete-events', '--reason', 'T-12', '--yes']
  for (let move = 0; move < moves; move++) {
    const env = move === 0 ? await withProfile(machine(0)) : machine(move)
    const [signal, code] = move % 2 === 0 ? (['SIGINT', 130] as const) : (['SIGKILL', null] as const)
    const before = sandbox.deleted.length
    const { child, finished } = start([...argv, '--concurrency', '2'], env)
    sandbox.onDelete = () => sandbox.deleted.length >= before + 2 && child.kill(signal)
    expect((await finished).code).toBe(code)
    sandbox.onDelete = () => undefined
    // Another user's --last passes over a job that is not theirs.
    const [begun = ''] = readdirSync(join(folder, `${move}/jobs`))
    argv = ['jobs', 'resume', begun]
  }
  const env = machine(moves)
  expect((await analytics(argv, env)).code).toBe(0)
  expect(sandbox.deleted.toSorted()).toEqual(ids.toSorted())
  // What was under way when a process ended may be asked for once more, and nothing else.
  expect(sandbox.sent.length - sandbox.deleted.length).toBeLessThanOrEqual(2 * moves)

  const [job = ''] = readdirSync(join(folder, `${moves}/jobs`))
  const receipt = join(folder, 'receipt.json')
  const again = await analytics(['jobs', 'receipt', job], env)
  expect(again.code).toBe(0)
  writeFileSync(receipt, again.stdout)
  const { complete, counts, reason, outcomes } = JSON.parse(readFileSync(receipt, 'utf8'))
  expect({ complete, counts, reason }).toMatchObject({ complete: true, counts: { deleted: 50 }, reason: 'T-12' })
  expect(outcomes.map(({ id }: { id: string }) => id)).toEqual(ids)
  expect((await analytics(['persons', 'verify', '--receipt', receipt], env)).code).toBe(0)
})
