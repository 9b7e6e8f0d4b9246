/** What a question shows before a deletion and before an update, of every resource, in windows of 60 and 100 columns. */
import { test } from 'vitest'
import { newWorld } from '../world.ts'
import { gallery } from './gallery.ts'

const look = gallery('previews')

const names: Readonly<Record<string, string>> = {
  3: 'Wolfeschlegelsteinhausenbergerdorff-Featherstonehaugh the Younger of Lower Tadfield',
  4: '\u202egnp.exe \u001b[2J\u001b[31mADMIN\u0007',
  5: '山田太郎 שלום عمر 👩🏽‍💻',
}

const questions: readonly (readonly string[])[] = [
  ['persons', 'delete', '3', '4', '5', '6', '7'],
  ['persons', 'delete', '999', '998', '3'],
  ['persons', 'update', '3', '4', '5', '--set', 'plan=team', '--set-json', 'seats=7'],
  ['persons', 'update', '4', '5', '--set', `note=${'long '.repeat(50)}`],
  ['persons', 'delete-property', '3', '4', '--key', 'plan', '--key', 'billing.plan'],
  ['event-definitions', 'delete', '--by-name', '$pageview', '--by-name', 'wishlist shared'],
  ['event-definitions', 'update', '--by-name', '$pageview', '--by-name', 'wishlist shared', '--add-tag', 'web'],
  ['plugins', 'delete', '1', '2', '3'],
  ['projects', 'delete', '1'],
]

test.each([60, 100])('at %i columns', async columns => {
  const world = newWorld()
  for (const [id, name] of Object.entries(names)) {
    await world.run(['--sandbox', 'persons', 'update-property', id, '--key', 'name', '--value', name])
  }
  for (const argv of questions) {
    const { stderr } = await world.run(['--sandbox', '--no-color', ...argv], {
      columns,
      answers: ['no'],
    })
    const title = argv.map(word => (word.length > 40 ? '…' : word)).join(' ')
    look(`${title}, ${columns} columns`, stderr.trimEnd(), columns)
  }
})
