import { expect, test } from 'vitest'
import { newWorld } from '../world.ts'

const groups = ['persons', 'plugins', 'event-definitions', 'projects'] as const
const forms = ['ndjson', 'csv'] as const
const cases = groups.flatMap(listed => groups.flatMap(group => forms.map(form => [listed, form, group] as const)))

test.each(cases)('rows of %s as %s are targets of %s only if they are its own', async (listed, form, group) => {
  const world = newWorld()
  const run = (line: string, stdin = '') => world.run([...line.split(' '), '--sandbox'], { stdin })
  const { stdout } = await run(`${listed} list -o ${form}`)
  const changes = group === 'projects' ? 'update --from - --name x' : 'delete --from -'
  const { code, stderr } = await run(`${group} ${changes} --dry-run`, stdout)
  if (listed === group) expect([code, stderr]).toEqual([0, expect.not.stringContaining('have not')])
  else expect([code, stderr]).toEqual([2, expect.stringMatching(/--from stdin/)])
  if (listed === 'plugins' && group === 'persons') expect(stderr).toContain('which plugins have and persons have not')
})

test('a list of one own may hold one field of another resource, in every row', async () => {
  const world = newWorld()
  const run = (stdin: string) => world.run('persons delete --from - --dry-run --sandbox'.split(' '), { stdin })
  expect(await run('id,e-mail,url,note\n1,ada@example.com,https://example.com,x\n')).toMatchObject({ code: 0 })
  expect(await run('{"id":1,"tag":"a"}\n{"id":2,"url":"b"}\n')).toMatchObject({ code: 0 })
  expect(await run('{"id":1}\n{"id":2,"url":"b","tag":"a"}\n')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--from stdin: line 2 has url and tag, which plugins have and persons have not'),
  })
})
