/** Lists, records, prompts and diffs on a screen of 80 columns. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'vitest'
import { wordsOf } from '../../src/text/shell-words.ts'
import { newWorld } from '../world.ts'
import { gallery } from './gallery.ts'

const look = gallery('tables')

const names: Readonly<Record<string, string>> = {
  52: '山田太郎 שלום עمר 👩🏽‍💻',
  53: '\u202egnp.exe \u001b[2J\u001b[31mADMIN\u0007',
}

/** What is typed, and the answer to each of its prompts. */
const lines: readonly (readonly [typed: string, ...answers: string[]])[] = [
  // A person with 160 distinct ids, and a name of 40 letters.
  ['persons update 54 "name=Irene Tan-Featherstonehaugh of Lower Tadfield"'],
  ['persons list --limit 14'],
  ['persons list --limit 4 --fields id,name,properties.email,properties.plan,properties.orders,created_at'],
  ['persons get ada@example.com'],
  ['event-definitions list --limit 3'],
  ['projects list'],
  ['projects diff 1 -f settings.yaml'],
  // Questions, with old and new values where something is set.
  ['persons delete 52 53 999', 'y', '3'],
  ['persons update 3 4 --set plan=team --set-json seats=7', '2'],
  ['persons update 3 4 --set plan=team --backup b.ndjson', 'no'],
  [`persons update 4 5 --set "note=${'long '.repeat(20).trim()}"`, 'no'],
  ['persons delete-property 3 4 --key plan --key billing.plan', 'no'],
  ['event-definitions update --by-name $pageview --by-name "wishlist shared" --add-tag web', 'no'],
  ['plugins delete 1 2 3', 'no'],
  ['projects delete 1', 'Juniper'],
  ['jobs list'],
  ['persons delete 54 42 --dry-run'],
  ['plugins create --set url=https://example.com/a?private_token=made-up-1 --set secret_api_token=made-up-2 -n'],
]

const settings = `name: 山田書店
timezone: Europe/Berlin
anonymize_ips: true
app_urls: [https://shop.example.com, https://a-much-longer-name-of-a-host.example.com/with/a/path]
`

test('each screen matches the file of screens', async () => {
  const columns = 80
  const world = newWorld()
  writeFileSync(join(world.folder, 'settings.yaml'), settings)
  for (const [id, name] of Object.entries(names)) {
    await world.run(['--sandbox', 'persons', 'update-property', id, '--key', 'name', '--value', name])
  }
  for (const [typed, ...answers] of lines) {
    const argv = ['--sandbox', '--no-color', ...wordsOf(typed)]
    const { written } = await world.run(argv, { columns, answers })
    const screen = written.replace('sandbox: made-up data on this machine\n', '')
    look(typed, screen.trimEnd(), columns)
  }
})
