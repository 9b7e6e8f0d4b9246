/** The page about workflows: what they run is run, in real processes, on the sandbox. */
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { parse } from 'yaml'
import { analytics, bin, machine } from '../process/program.ts'
import { type ServedSandbox, serveSandbox } from '../process/sandbox.ts'
import { Ci, type Workflow } from './ci.ts'

const page = readFileSync(join(import.meta.dirname, '../../docs/workflows.md'), 'utf8')
const documents = [...page.matchAll(/^```yaml\n(.*?)^```$/gms)].map(([, text = '']) => parse(text))

let folder: string
let sandbox: ServedSandbox
let ci: Ci | undefined

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'analytics-workflows-'))
  for (const name of ['bin', 'repository', 'state', 'input']) mkdirSync(join(folder, name))
  writeFileSync(join(folder, 'bin/analytics'), `#!/bin/sh\nexec '${process.execPath}' '${bin}' "$@"\n`, { mode: 0o755 })
  sandbox = await serveSandbox()
})
afterEach(async () => {
  ci?.remove()
  ci = undefined
  await sandbox.close()
  rmSync(folder, { recursive: true, force: true })
})

const repository = (name: string) => join(folder, 'repository', name)

const named = (title: string): Workflow => documents.find(({ name }) => name === title)

function begin(workflow: Workflow, event: string): Ci {
  ci = new Ci(workflow, { event, checkout: join(folder, 'repository'), path: join(folder, 'bin'), env: sandbox.env })
  return ci
}

const codes = ({ ran }: Ci) => ran.map(({ job, step, code }) => `${job}: ${step}: ${code}`)

async function personIds(limit: number): Promise<string[]> {
  const { stdout } = await analytics(['persons', 'list', '--limit', String(limit), '-o', 'ids'], sandbox.env)
  return stdout.trimEnd().split('\n')
}

test('a deletion over several CI jobs: its state folder goes from one to the next', async () => {
  const ids = await personIds(24)
  writeFileSync(repository('ids.txt'), ids.join('\n'))
  // In place of the system's: the time of the first job is over once six are deleted.
  const timeout = `#!/bin/sh
shift 4
"$@" & pid=$!
while kill -0 $pid 2>/dev/null && ! [ -e '${folder}/over' ]; do sleep 0.02; done
rm '${folder}/over' 2>/dev/null && kill -INT $pid
wait $pid
`
  writeFileSync(join(folder, 'bin/timeout'), timeout, { mode: 0o755 })
  sandbox.onDelete = () => sandbox.deleted.length === 6 && writeFileSync(join(folder, 'over'), '')
  const slower = JSON.stringify(named('Long deletion')).replaceAll('1200/h', '10/s')
  const run = begin(JSON.parse(slower), 'workflow_dispatch')
  expect([await run.run(), run.ran.at(-1)?.stderr]).toEqual([true, expect.any(String)])
  const steps = ['begin: Begin', ...Array(3).fill('continue: Continue'), 'prove: Write the receipt']
  expect(codes(run)).toEqual([...steps, 'prove: Look whether they are gone'].map(step => `${step}: 0`))
  const [first, second, third] = run.ran.map(({ stderr }) => stderr)
  expect(first).toContain('Resume with')
  expect([second, third]).toEqual(['', ''])
  expect(sandbox.sent.toSorted()).toEqual(ids.toSorted())
  const receipt = JSON.parse(readFileSync(join(run.artifact('receipt'), 'receipt.json'), 'utf8'))
  expect(receipt).toMatchObject({ complete: true, counts: { deleted: ids.length, left: 0 } })
})

test('a Kubernetes Job that is killed goes on when it is started again', async () => {
  const { kind, spec } = documents.find(({ kind }) => kind === 'Job')
  const [container] = spec.template.spec.containers
  expect([kind, container.command, container.args.length]).toEqual(['Job', ['/bin/sh', '-c'], 1])
  const ids = await personIds(24)
  writeFileSync(join(folder, 'input/ids.txt'), ids.join('\n'))
  // The folders of the container are folders here.
  const script = container.args[0].replace(/\/(state|input)\//g, `${folder}/$1/`)
  const life = () => {
    const child = spawn('/bin/sh', ['-c', script], {
      env: {
        ...sandbox.env,
        ...machine,
        PATH: `${join(folder, 'bin')}:${machine.PATH}`,
        ANALYTICS_STATE_DIR: join(folder, 'state'),
      },
      detached: true,
    })
    return { child, ended: new Promise(resolve => child.once('exit', resolve)) }
  }
  for (let kill = 1; kill <= 3; kill++) {
    const { child, ended } = life()
    sandbox.onDelete = () => sandbox.deleted.length >= 6 * kill && process.kill(-(child.pid ?? 0), 'SIGKILL')
    expect(await ended).toBeNull()
  }
  sandbox.onDelete = () => undefined
  expect(await life().ended).toBe(0)
  expect(sandbox.deleted.toSorted()).toEqual(ids.toSorted())
  expect(await life().ended).toBe(0)
  expect(JSON.parse(readFileSync(join(folder, 'state/receipt.json'), 'utf8'))).toMatchObject({ complete: true })
})
