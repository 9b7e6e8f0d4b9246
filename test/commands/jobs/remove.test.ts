import { readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { startJobs } from '../../jobs/stored.ts'
import { type Answer, emptyPage, isList, json, notFound } from '../../server.ts'
import { startService } from '../../service.ts'

const ten = '1 2 3 4 5 6 7 8 9 10 --yes --concurrency 1'

test('--max-failures 1 says so in the singular, and of an old job with something left its removal says so', async () => {
  const { run, world } = await startService((_, response) => json(response, { code: 'invalid' }, 400))
  expect((await run(`persons delete ${ten} --max-failures 1`)).stderr).toContain('Stopped after 1 failure.')
  world.now += 31 * 86_400_000
  expect((await run('jobs remove --older-than 30d -n')).stderr).toContain(
    '1 job would be removed, 1 of them with something left to try\n',
  )
  expect((await run('jobs remove --older-than 30d')).stderr).toBe(
    '1 job removed, 1 of them with something left to try\n',
  )
})

test('the removal of a finished job says so where its failures could be tried again, and only there', async () => {
  let answer: Answer = (_, response) => notFound(response)
  const { run, world } = await startService((asked, response) =>
    isList(asked) ? emptyPage(response) : answer(asked, response),
  )
  await run('persons update 1 2 --set plan=pro --yes')
  world.now += 31 * 86_400_000
  expect((await run('jobs remove --older-than 30d')).stderr).toBe('1 job removed\n')
  answer = (_, response) => json(response, { code: 'invalid' }, 400)
  await run('persons update 1 2 --set plan=pro --yes')
  world.now += 31 * 86_400_000
  expect((await run('jobs remove --older-than 30d')).stderr).toContain('1 of them with something left to try')
})

test('jobs remove --older-than leaves the jobs of other servers: a rehearsal keeps those of the service', async () => {
  const { run, jobs, onlyJob } = await startJobs()
  await run('persons delete 7 8 --yes')
  const kept = onlyJob()
  const stays = '1 job of other servers is not removed: use --everywhere\n'
  expect((await run('jobs remove --older-than 0d --sandbox')).stderr).toContain(`0 jobs removed\n${stays}`)
  const unlisted = '1 job of other servers is not shown: use --everywhere\n'
  expect((await run('jobs list --sandbox')).stderr).toContain(unlisted)
  expect(onlyJob()).toBe(kept)
  expect((await run(`jobs remove ${kept} --everywhere`)).code).toBe(2)
  expect((await run('jobs remove --older-than 0d --everywhere --sandbox')).stderr).toContain(
    '1 job removed, 1 of them with something left',
  )
  expect(readdirSync(jobs)).toEqual([])
})

test('jobs remove JOB removes no job of another server', async () => {
  const { run, world, server, onlyJob } = await startJobs()
  await run('persons delete 7 8 --yes')
  const kept = onlyJob()
  const { code, stderr } = await run(`jobs remove ${kept} --sandbox`)
  expect([code, onlyJob()]).toEqual([2, kept])
  expect(stderr).toContain(`Job ${kept} is of ${server.url}, not of the sandbox.\nUse analytics jobs remove ${kept}`)
  expect((await world.run(['jobs', 'remove', kept])).code).toBe(0)
})

test('jobs remove takes names only, not paths', async () => {
  const { run } = await startJobs()
  await run('persons delete 7 8 --yes')
  for (const name of ['..', '../jobs', '.', './x']) expect((await run(`jobs remove ${name}`)).code).toBe(2)
})
