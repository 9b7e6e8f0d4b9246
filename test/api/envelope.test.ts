/** `next` of an envelope leads to the first row that is not in it, also where a page was cut. */
import { expect, test } from 'vitest'
import { json, personRow } from '../server.ts'
import { startService } from '../service.ts'

/** 30 persons, at most ten on a page. */
function service() {
  return startService(({ query }, response) => {
    const offset = Number(query.get('offset') ?? 0)
    const end = offset + Math.min(10, Number(query.get('limit') ?? 10))
    const results = Array.from({ length: 30 }, (_, i) => personRow(i + 1)).slice(offset, end)
    const next = end < 30 ? `http://inside.example.com/persons?limit=${end - offset}&offset=${end}` : null
    json(response, { count: 30, next, previous: null, results })
  })
}

test.each([
  ['--limit 25', 25],
  ['--limit 25 --page-size 7', 25],
  ['--limit 5 --page-size 10', 5],
  ['--limit 5 --page-size 10 --offset 24', 29],
  ['--limit 20', 20],
  ['--limit 30', 30],
])('persons list %s: next goes on behind row %i', async (options, shown) => {
  const { world, env } = await service()
  const listed = await world.run(`persons list ${options} -o json --envelope`.split(' '), { env })
  const { next, results } = JSON.parse(listed.stdout)
  expect(results.at(-1).id).toBe(shown)
  if (shown === 30) return expect(next).toBeNull()
  const { search } = new URL(next)
  const rest = await world.run(['api', 'GET', `/api/projects/1/persons/${search}`, '--paginate', '-o', 'ids'], { env })
  expect(rest.stdout.split('\n').filter(Boolean).map(Number)).toEqual(
    Array.from({ length: 30 - shown }, (_, i) => shown + 1 + i),
  )
})

test('a list by another mark than an offset: next gives the page that was cut again', async () => {
  const { world, env } = await startService(({ query }, response) => {
    const page = Number(query.get('page') ?? 1)
    const results = [1, 2, 3].map(i => ({ id: (page - 1) * 3 + i }))
    json(response, { next: page < 3 ? `?page=${page + 1}` : null, previous: null, results })
  })
  const cut = async (limit: number) => {
    const { stdout } = await world.run(['persons', 'list', '--limit', String(limit), '-o', 'json', '--envelope'], {
      env,
    })
    return new URL(JSON.parse(stdout).next, 'http://localhost').searchParams.get('page')
  }
  expect([await cut(3), await cut(4), await cut(8)]).toEqual(['2', '2', '3'])
})
