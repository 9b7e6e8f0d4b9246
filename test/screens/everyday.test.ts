/** A day of somebody at work: each line typed in windows of 60 and 100 columns, and in a script with --yes. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'vitest'
import { wordsOf } from '../../src/text/shell-words.ts'
import { newWorld, type World } from '../world.ts'
import { gallery } from './gallery.ts'

const look = gallery('everyday')

/** What is typed, and what is answered to each of its questions. */
type Line = readonly [typed: string, ...answers: string[]]

const day: readonly Line[] = [
  // Somebody with 160 distinct ids, and a name of 40 letters.
  ['persons update 54 "name=Irene Tan-Featherstonehaugh of Lower Tadfield"'],
  ['persons list --limit 14'],
  ['persons delete 54 42 --dry-run'],
  // What can mean one thing only.
  ['persons list ada'],
  ['persons get ada@example.com'],
  // The likely cause where nothing is found.
  ['persons list --email ada'],
  ['persons list --property emial=ada@example.com'],
  ['persons list --property plan=Pro'],
  ['persons list --where plan=pro'],
  // Updates: what cannot be undone, what would change nothing, a name that nobody has, and a way back.
  ['persons update 3 4 --set plan=team', '2'],
  ['persons update 3 4 --set plan=team'],
  ['persons update 3 4 --set e-mail=a@example.com', 'no'],
  ['jobs undo --last'],
  ['persons update 3 4 --set plan=trial --backup b.ndjson --reason "Ticket 12"', '2'],
  ['jobs list'],
  ['jobs undo --last', '2'],
  // A count that is mistyped.
  ['persons delete 1 2 998 --reason "Ticket 13"', 'y', '3'],
  ['persons delete 5 6 --yes --quiet --dry-run'],
  ['plugins list'],
  ['plugins create --set url=https://example.com/a?private_token=made-up-1 --set secret_api_token=made-up-2 -n'],
  // Mistakes.
  ['projects update 1 --timezone Europe/Berln'],
  ['projects update 1 --timezone GMT+3'],
  ['persons update 3 --set-json vip=True'],
  ['jobs remove --older-than 30'],
]

function newFleet(): World {
  const world = newWorld()
  const project =
    'anonymize_ips: true\nslack_incoming_webhook: https://hooks.example.com/made-up\napp_urls: [https://a.example.com]\n'
  writeFileSync(join(world.folder, 'base.yaml'), project)
  return world
}

test.each([60, 100, undefined])('at %s columns', async columns => {
  const world = newFleet()
  let count = 0
  for (const [typed, ...answers] of day) {
    const yes = columns === undefined && answers.length > 0 && !answers.includes('no') ? ['--yes'] : []
    const argv = ['--sandbox', '--no-color', ...wordsOf(typed), ...yes]
    const { stdout, stderr } = await world.run(argv, columns === undefined ? {} : { columns, answers })
    const where = columns === undefined ? 'in a pipe' : `${columns} columns`
    const screen = (stderr + stdout).replace('sandbox: made-up data on this machine\n', '')
    look(`${++count}. ${typed}, ${where}`, screen.trimEnd(), columns ?? 80)
  }
})
