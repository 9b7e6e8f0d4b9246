/** Every JSON text that a person gives: with one member twice, at any depth and however it is spelled, it is refused. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import * as fc from '../fast-check.ts'
import { startService } from '../service.ts'

const names = ['"plan"', '"pl\\u0061n"', '"\\u0070\\u006C\\u0061\\u006e"']
const between = ['', '"other":{"plan":1},', '"plans":"\\"plan\\":",', '"10":[{"plan":1},{"plan":2}],']
const around = ['{"a":X}', '[X]', '[{"plan":0},X]', '{"plan":X}', '{"10":1,"b":X,"2":[]}', '{ "c" :\t[ 1.0, X ] }']

/** An object with two members `plan`, inside of objects and lists. */
const repeated = fc
  .tuple(
    fc.constantFrom(...names),
    fc.constantFrom(...between),
    fc.constantFrom(...names),
    fc.array(fc.constantFrom(...around), { maxLength: 4 }),
  )
  .map(([first, other, second, outer]) =>
    outer.reduce((text, one) => one.replace('X', () => text), `{${first}:1,${other}${second} : 1}`),
  )

const person = (json: string) => `{"id":1,"distinct_ids":["d1"],"properties":{"x":${json}}}`
const settings = (json: string) => `{"extra_settings":${json}}`

/** Its words, and the file or stdin with the JSON. */
const doors: readonly (readonly [line: string, text?: (json: string) => string])[] = [
  ['persons update 1 --properties {"x":X}'],
  ['persons update 1 --set-json x=X'],
  ['persons update 1 --set-json x=@file', json => json],
  ['persons update 1 --body {"properties":{"x":X}}'],
  ['persons update 1 --body -', person],
  ['persons update-property 1 --key x --value-json X'],
  ['persons list --properties [{"key":"x","type":"person","value":X}]'],
  ['persons funnel --body X'],
  ['projects update 1 --set extra_settings=X'],
  ['projects update 1 --body @file', settings],
  ['plugins create --body X'],
  ['api PATCH /api/projects/1/ --field extra_settings=X'],
  ['api PATCH /api/unknown/1/ --body X'],
  ['persons update --rows - --yes', person],
  ['persons update --rows file --types x=json --yes', json => `id,properties.x\n1,"${json.replaceAll('"', '""')}"\n`],
  ['persons delete --from - --yes', person],
  ['persons delete --distinct-ids-from file --yes', json => `{"distinct_id":"d1","x":${json}}\n`],
  ['projects apply 1 -f - --yes', settings],
  ['projects diff 1 -f file', json => `# YAML\nextra_settings: ${json.replaceAll(/[:,]/g, '$& ')}\n`],
  ['projects create -f file', settings],
  ['persons verify --receipt file', json => `{"receipt":2,"command":"persons delete","x":${json}}`],
  ['sandbox load file', person],
]

test.each(doors.map(([line, text]) => ({ line, text })))('$line', { timeout: 60_000 }, async ({ line, text }) => {
  const { world, run, server } = await startService()
  await fc.assert(
    fc.asyncProperty(repeated, async json => {
      // Blanks would cut the words of the line.
      const typed = text ? json : json.replaceAll(/\s/g, '')
      const given = text?.(json) ?? ''
      writeFileSync(join(world.folder, 'file'), given)
      const { code, stderr } = await run(
        line.replace('X', () => typed),
        { stdin: given },
      )
      expect([code, stderr, server.asked.length]).toEqual([
        2,
        expect.stringMatching(/plan is given twice|has a member twice/),
        0,
      ])
    }),
    { numRuns: 10 },
  )
})

test('the message has the path of the member, and the file and line where there are any', async () => {
  const { run } = await startService()
  const json = '{"properties":{"plan":"a","x":[{"b":1,"b":2}]}}'
  expect((await run(`persons update 1 --body ${json}`)).stderr).toBe(
    '--body: properties.x.b is given twice.\nKeep one of them.\n',
  )
  const rows = await run('persons update --rows - --yes', {
    stdin: '{"id":1,"properties":{"x":1}}\n{"id":2,"properties":{"x":{"b":1,"b":2}}}\n',
  })
  expect(rows.stderr).toBe('--rows stdin, line 2: properties.x.b is given twice.\nKeep one of them.\n')
  const file = await run('projects apply 1 -f - --yes', { stdin: 'name: A\ntimezone: UTC\nname: B\n' })
  expect(file.stderr).toContain('stdin:3: name is given twice')
})

test('of what the service answers the last one of two members counts, as in other programs', async () => {
  const { run } = await startService(
    (_, response) => void response.end('{"id":1,"properties":{"plan":"a","plan":"b"}}'),
  )
  expect((await run('persons get 1 --fields properties.plan -o csv')).stdout).toBe('properties.plan\nb\n')
})

test('config.json with a member twice is refused with its path, and one with a byte order mark is read', async () => {
  const { world } = await startService()
  const file = join(world.folder, 'config/config.json')
  mkdirSync(join(world.folder, 'config'), { mode: 0o700 })
  const profile = '"baseUrl":"https://a.example.com","safety":"read-only"'
  const write = (text: string) => writeFileSync(file, text, { mode: 0o600 })
  write(`{"profiles":{"a":{${profile},"s\\u0061fety":"confirm"}}}`)
  const { code, stderr } = await world.run(['profiles', 'list'])
  expect([code, stderr]).toEqual([
    2,
    `${file} is damaged, and was left as it is: profiles.a.safety is given twice.\nKeep one of them.\n`,
  ])
  write(`\ufeff{"profiles":{"a":{${profile}}}}`)
  expect(await world.run(['profiles', 'list', '-o', 'ids'])).toMatchObject({ code: 0, stdout: 'a\n' })
})
