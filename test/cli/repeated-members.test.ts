/** JSON from a user is refused if it has a member twice with different values. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startService } from '../service.ts'

const json = '{"a":[{"plan":1,"pl\\u0061n":2}]}'

const person = (json: string) => `{"id":1,"distinct_ids":["d1"],"properties":{"x":${json}}}`
const settings = (json: string) => `{"extra_settings":${json}}`

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

test.each(doors.map(([line, text]) => ({ line, text })))('$line', async ({ line, text }) => {
  const { world, run, server } = await startService()
  const given = text?.(json) ?? ''
  writeFileSync(join(world.folder, 'file'), given)
  const { code, stderr } = await run(line.replace('X', json), { stdin: given })
  expect([code, server.asked.length]).toEqual([2, 0])
  expect(stderr).toMatch(/plan is given twice|has a duplicate member|is not JSON/)
})
