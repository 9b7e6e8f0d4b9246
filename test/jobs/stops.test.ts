/** What ends a run before its end, with which exit code, and what is left for `jobs resume`. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { InterruptedError } from '../../src/errors.ts'
import { posixTest } from '../posix.ts'
import { type Answer, emptyPage, isList, json, notFound, personId, personRow } from '../server.ts'
import { accepting, jobCounts, startService } from '../service.ts'

const ten = '1 2 3 4 5 6 7 8 9 10 --yes --concurrency 1'

/** Runs ten deletes; the fourth gets this response. */
async function fourth(answer: Answer) {
  const { run } = await startService((asked, response) => {
    if (personId(asked.path) === 4) return answer(asked, response)
    response.writeHead(204).end()
  })
  return { run, ...(await run(`persons delete ${ten}`)) }
}

test.each(['1', '1 2'])('the receipt of %s lists the pending targets after a refused key', async ids => {
  const { run, receipt } = await startService((_, response) => json(response, {}, 401))
  expect((await run(`persons delete ${ids} --yes --receipt r.json`)).code).toBe(4)
  const { complete, outcomes } = receipt()
  expect(complete).toBe(false)
  expect(outcomes).toEqual(ids.split(' ').map(id => ({ id, status: 'left', error: null, evidence: null, at: null })))
})

test('a 403 before the first success stops the run; later it is a failure of that target', async () => {
  const { run, server } = await startService((_, response) => json(response, {}, 403))
  expect((await run(`persons delete ${ten}`)).code).toBe(4)
  expect(server.asked).toHaveLength(1)
  const later = await fourth((_, response) => json(response, {}, 403))
  expect(later.code).toBe(8)
  expect(await jobCounts(later.run)).toEqual(['failed', 9, 1])
})

/** Of thirty persons the second is forbidden and the eleventh refused, whatever the run. */
const someRefuse: Answer = (asked, response) => {
  if (asked.method === 'GET') return accepting(asked, response)
  const id = personId(asked.path)
  if (id === 2) return json(response, { detail: 'No.' }, 403)
  if (id === 11) return json(response, { detail: 'No.' }, 400)
  response.writeHead(204).end()
}

test('a resume begins with the targets that were not tried', async () => {
  const ids = '1 2 3 4 5 6 7 8 9 10 12 13'
  const { run, sent } = await startService(someRefuse)
  await run(`persons delete ${ids} --yes --max-failures 1 --concurrency 1`)
  expect(await jobCounts(run)).toEqual(['interrupted', 1, 1])
  const first = sent().length
  await run('jobs resume --last')
  expect(personId(sent()[first]?.path ?? '')).not.toBe(2)
  expect(await jobCounts(run)).toEqual(['failed', 11, 1])
})

test('an unreachable service stops the run with 7, and no target is failed', async () => {
  const { run, server } = await startService(async ({ path }, response) => {
    response.writeHead(204, { connection: 'close' }).end()
    if (personId(path) === 3) await server.close()
  })
  expect((await run(`persons delete ${ten}`)).code).toBe(7)
  expect(await jobCounts(run)).toEqual(['interrupted', 3, 0])
})

test.each(['', '--max-failures 1'])('a single target fails with its own error, not with a limit: %s', async limit => {
  const { run } = await startService((asked, response) => {
    if (isList(asked)) return emptyPage(response)
    if (personId(asked.path) === 1) return void response.destroy()
    if (personId(asked.path) === 2) return json(response, {}, 500)
    notFound(response)
  })
  const one = (id: number) => run(`persons delete ${id} --delete-events --yes --retries 0 ${limit}`.trim())
  const [lost, failed, missing] = [await one(1), await one(2), await one(3)]
  expect(lost).toMatchObject({
    code: 7,
    stderr: expect.stringContaining('It may be deleted'),
  })
  expect(failed).toMatchObject({ code: 7, stderr: expect.stringContaining('The server failed (500)') })
  expect(missing).toMatchObject({ code: 3, stderr: expect.stringContaining('Person 3 of project 1 was not found') })
  expect([lost, failed, missing].map(({ stderr }) => stderr).join()).not.toContain('Stopped')
})

test.each([
  ['first', 1, [1, 1, 2]],
  ['second', 2, [1, 2, 2]],
])('a process that slept before its %s target does not send what another one finished', async (_, at, ids) => {
  let asked = 0
  const { run, receipt, world, server } = await startService(async ({ method }, response) => {
    if (method === 'GET') return json(response, personRow(1))
    if (++asked !== at) return void response.writeHead(202).end()
    // To the other process this one seems to have ended.
    world.pid++
    expect((await run('jobs resume 20260515')).code).toBe(0)
    world.pid--
    response.setHeader('retry-after', '60')
    json(response, {}, 429)
  })
  const { code, stderr } = await run('persons update 1 2 --set plan=pro --yes --concurrency 1 --receipt r.json')
  expect([code, stderr.split('Another process took over this job').length]).toEqual([10, 2])
  expect(stderr).not.toContain('Resume with')
  expect(server.asked.map(({ path }) => personId(path))).toEqual(ids)
  expect(await jobCounts(run)).toEqual(['done', 2, 0])
  expect(receipt()).toMatchObject({ complete: true })
})

test('after a refusal and a signal, a resume does not report the target as deleted', async () => {
  const interruption = new AbortController()
  const { run, receipt, world } = await startService((asked, response) => {
    if (isList(asked)) return emptyPage(response)
    if (interruption.signal.aborted) return notFound(response)
    response.setHeader('retry-after', '60')
    json(response, {}, 429)
  })
  const { sleep } = world.clock
  world.clock.sleep = async (ms, signal) => {
    interruption.abort(new InterruptedError('SIGINT'))
    await sleep(ms, signal)
  }
  const first = 'persons delete 1 2 --delete-events --yes --concurrency 1 --receipt r.json'
  expect(await run(first, { interrupted: interruption.signal })).toMatchObject({ code: 130 })
  expect(await run('jobs resume --last')).toMatchObject({ code: 3 })
  expect(receipt().outcomes.map(({ error }) => error)).toEqual(['events-unknown', 'events-unknown'])
})

test.each<[string, number, (response: Parameters<Answer>[1]) => void, string?]>([
  ['a page of a gateway', 5, response => response.writeHead(200, { 'content-type': 'text/html' }).end('<html>')],
  ['a key that is not accepted', 4, response => json(response, {}, 401)],
  ['a 403 before anything succeeded', 4, response => json(response, {}, 403)],
  ['a redirect', 5, response => response.writeHead(302, { location: '/login' }).end()],
  ['a method that is not allowed', 5, response => json(response, {}, 405)],
  ['a limit of failures', 8, response => json(response, {}, 400), ' --max-failures 1'],
])('after %s stops the run, waiting requests are dropped', async (_, exit, stop, option = '') => {
  let waiting = 0
  let respond = () => {}
  const allWait = new Promise<void>(resolve => {
    respond = resolve
  })
  const { run, sent, world } = await startService(async (asked, response) => {
    if (personId(asked.path) === 8) {
      await allWait
      return stop(response)
    }
    response.setHeader('retry-after', '3')
    json(response, {}, 429)
    if (++waiting === 7) setImmediate(respond)
  })
  // Nobody sleeps to the end: only a stop wakes them.
  world.clock.sleep = (_, signal) =>
    new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)))
  const ids = Array.from({ length: 30 }, (_, i) => i + 1).join(' ')
  const { code, stderr } = await run(`persons delete ${ids} --yes${option}`)
  expect([code, sent().length]).toEqual([exit, 8])
  expect(stderr).toMatch(/^Resume with: analytics jobs resume \S+$/m)
})

test('a signal ends all waits of a run, and nothing more is sent', async () => {
  const interruption = new AbortController()
  const { run, sent, world } = await startService((_, response) => {
    response.setHeader('retry-after', '3')
    json(response, {}, 429)
  })
  // A sleep never ends by itself.
  world.clock.sleep = (_, signal) =>
    new Promise((_, reject) => {
      signal?.addEventListener('abort', () => reject(signal.reason))
      setImmediate(() => interruption.abort(new InterruptedError('SIGINT')))
    })
  expect((await run('persons delete 1 2 3 --yes', { interrupted: interruption.signal })).code).toBe(130)
  expect(sent().length).toBeLessThanOrEqual(3)
})

test('a stopped run without pending targets suggests no resume', async () => {
  const { run } = await startService((asked, response) => {
    if (isList(asked)) return emptyPage(response)
    notFound(response)
  })
  const line = 'persons delete 1 2 --delete-events --yes --max-failures 2'
  expect(await run(`${line} -o ids`)).toMatchObject({ code: 8, stderr: expect.not.stringContaining('Resume with') })
  expect((await run('jobs resume --last')).stderr).toContain('no pending targets')
})

posixTest('a request that waits for another key is not sent after the run was stopped', async () => {
  const { run, world, server } = await startService(async (asked, response) => {
    if (personId(asked.path) === 1) return json(response, {}, 401)
    await vi.waitFor(() => readFileSync(count, 'utf8') === 'key\nkey\n' || expect.fail())
    json(response, {}, 400)
    await vi.waitFor(() => /"failed",1/.test(journal()) || expect.fail())
    writeFileSync(released, '')
  })
  const [count = '', released = '', script = ''] = ['count', 'released', 'key.sh'].map(name => join(world.folder, name))
  const jobs = join(world.folder, 'state/jobs')
  const journal = () => readFileSync(join(jobs, readdirSync(jobs)[0] ?? '', 'journal'), 'utf8')
  const waits = `[ $n = 1 ] || until [ -e ${released} ]; do sleep 0.02; done`
  writeFileSync(script, `echo key >> ${count}\nn=$(wc -l < ${count} | tr -d ' ')\n${waits}\necho key-$n\n`)
  const add = ['profiles', 'add', 'hourly', '--base-url', server.url, '--project', '1', '--api-key-command']
  await world.run([...add, `sh ${script}`])
  expect((await run('persons delete 1 2 --yes --max-failures 1 --profile hourly')).code).toBe(8)
  expect(server.asked.map(({ path }) => personId(path)).sort()).toEqual([1, 2])
})
