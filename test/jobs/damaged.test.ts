/** Files of a job that were changed or replaced: one sentence, the documented exit code, and nothing is sent. */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { json } from '../server.ts'
import { accepting, startService } from '../service.ts'

/** A job that was stopped with everything left to do. */
async function startWithJob() {
  const service = await startService((asked, response) =>
    asked.method === 'GET' ? accepting(asked, response) : json(response, { detail: 'Down.' }, 503),
  )
  await service.run('persons delete 1 2 --yes --retries 0')
  const jobs = join(service.world.folder, 'state', 'jobs')
  const [job = ''] = readdirSync(jobs)
  /** Each command ends with a documented exit code, and nothing is sent. */
  const expectRefused = async (lines: readonly string[]) => {
    const before = service.sent().length
    for (const line of lines) {
      const { code, stderr } = await service.run(line)
      const isHandled = expect.not.stringContaining('unexpectedly')
      expect([line, code, stderr]).toEqual([line, expect.toBeOneOf([0, 2]), isHandled])
    }
    expect(service.sent().length).toBe(before)
  }
  return { ...service, job, path: (name: string) => join(jobs, job, name), expectRefused }
}

const commands = ['jobs resume --last', 'jobs show --last', 'jobs list', 'jobs receipt --last', 'jobs undo --last']

test('a lock that is a folder', async () => {
  const { run, path, job, expectRefused } = await startWithJob()
  mkdirSync(path('lock'))
  await expectRefused([...commands, `jobs remove ${job}`])
  expect((await run('jobs resume --last')).code).toBe(2)
})

test.each([
  '{}',
  'null',
  '[]',
  '3',
  '{"operation":{}}',
  '{"operation":{"command":"persons fly","values":{}}}',
  '{"operation":{"command":"toString","values":{}}}',
  '{"operation":{"command":"persons delete"}}',
  '{"operation":{"command":"persons delete","values":{}},"valuesPerTarget":{}}',
  '{"operation":{"command":"persons delete","values":{}},"valuesPerTarget":[{}]}',
  '{"operation":{"command":"persons delete","values":{}},"matchedBy":{"by":"email"}}',
  '{"operation":{"command":"persons delete","values":{}},"receipt":3}',
  '{"operation":{"command":"persons update","values":{}}}',
  '{"operation":{"command":"persons update","values":{"change":3}}}',
  '{"operation":{"command":"event-definitions delete","values":{}}}',
])('values.json is %s', async text => {
  const { run, sent, path } = await startWithJob()
  writeFileSync(path('values.json'), text)
  const before = sent().length
  const { code, stderr } = await run('jobs resume --last')
  expect([code, stderr]).toEqual([2, expect.stringContaining('values.json')])
  expect(sent().length).toBe(before)
})

test.each([
  ['total', undefined],
  ['total', 'x'],
  ['backups', null],
  ['path', undefined],
  ['base_url', 3],
  ['command', undefined],
  ['started_at', undefined],
  ['targets_sha256', undefined],
])('job.json with another %s: %j', async (member, value) => {
  const { path, expectRefused } = await startWithJob()
  writeFileSync(
    path('job.json'),
    JSON.stringify({ ...JSON.parse(readFileSync(path('job.json'), 'utf8')), [member]: value }),
  )
  await expectRefused(commands)
})

test.each(['targets', 'journal', 'values.json', 'job.json'])('%s is a folder', async name => {
  const { path, expectRefused } = await startWithJob()
  rmSync(path(name))
  mkdirSync(path(name))
  await expectRefused(commands)
})
