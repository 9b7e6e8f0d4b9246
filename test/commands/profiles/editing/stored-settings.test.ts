import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { rootCertificates } from 'node:tls'
import { expect, test } from 'vitest'
import { settingRows } from '../../../../src/config/settings.ts'
import { freshProfiles } from '../../../config/profiles.ts'
import { adding, having, serve, shop } from '../../../config/shop.ts'
import { selfSigned } from '../../../http/loopback.ts'

const profiles = freshProfiles()
const add = adding(profiles)

const stored = settingRows.flatMap(([name, row]) => (row.profile ? [name] : []))
const beside = stored.filter(name => name !== 'apiKey' && name !== 'apiKeyCommand')

test('each setting that a profile may store is in the list of profiles', async () => {
  const organization = '018f2c5e-0000-7000-8000-000000000001'
  const authorities = join(profiles.world.folder, 'authorities.pem')
  writeFileSync(authorities, rootCertificates[0] ?? '')
  const own = selfSigned('laptop.example.com')
  for (const [name, text = ''] of [
    ['headers', 'X-Access: abc'],
    ['cert.pem', own?.cert],
    ['key.pem', own?.key],
  ] as const) {
    writeFileSync(join(profiles.world.folder, name), text, { mode: 0o600 })
  }
  const server = await serve(having(shop))
  const words = `add prod --project 42 --organization ${organization} --safety confirm --max-deletes 5 --require reason,receipt --ca-file ${authorities} --headers-file headers --client-cert cert.pem --client-key key.pem --allow-http --default-output json`
  await add(server, [], {}, words)
  const kept = profiles.kept().profiles.prod ?? {}
  expect(Object.keys(kept).toSorted()).toEqual([...beside, 'apiKey'].toSorted())

  const [row] = JSON.parse((await profiles.run('list -o json')).stdout)
  const { name, in_use, ...rest } = row
  expect([name, in_use, Object.values(rest)]).toEqual(['prod', true, beside.map(setting => kept[setting])])
  expect(rest).toMatchObject({ base_url: server.url, output: 'json', allow_http: true })
})
