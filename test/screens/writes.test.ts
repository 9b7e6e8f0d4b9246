/** What a dry run would send, as a table in windows of 60 to 160 columns: method, id and body are always there. */
import { expect, test } from 'vitest'
import { wordsOf } from '../../src/text/shell-words.ts'
import { newWorld } from '../world.ts'
import { gallery } from './gallery.ts'

const look = gallery('writes')

const lines: readonly (readonly [line: string, id: string])[] = [
  ['persons delete 37 38 --delete-events', '/38/'],
  ['persons update 37 --set plan=pro --set "note=Asked for the catalogue of spring, by post"', '/37/'],
  ['persons update-property 37 --key note --value "Asked for the catalogue of spring, by post"', '37/update_property/'],
  ['persons delete-property 37 --key address', '37/delete_property/'],
  [
    'event-definitions update --by-name $pageview --name "Somebody opened a page of the catalogue"',
    '-29ff-4f90-8061-9836bb55b250/',
  ],
]

test.each([60, 80, 120, 160])('at %i columns', async columns => {
  const world = newWorld()
  for (const [line, id] of lines) {
    const argv = ['--sandbox', '--no-color', ...wordsOf(line), '--dry-run']
    const { stdout, stderr } = await world.run(argv, { columns })
    expect(stdout).toMatch(/^Method +URL +Body\n(DELETE|PATCH|POST) /)
    expect(stdout).toContain(id)
    expect(stderr).not.toContain('left out')
    look(`${line}, ${columns} columns`, stdout.trimEnd(), columns)
  }
})
