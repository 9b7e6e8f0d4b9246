/** Help in windows of 60 and 100 columns: where to start, all commands, a group, commands, and a topic. */
import { test } from 'vitest'
import { newWorld } from '../world.ts'
import { gallery } from './gallery.ts'

const look = gallery('help')

const pages: readonly string[] = [
  '',
  '--help',
  'persons --help',
  'persons list --help',
  'persons delete --help',
  'projects update --help',
  'help bulk',
]

test.each([60, 100])('at %i columns', async columns => {
  for (const page of pages) {
    const argv = [...page.split(' ').filter(Boolean), '--no-color']
    const { stdout } = await newWorld().run(argv, { columns })
    look(`${`analytics ${page}`.trim()}, ${columns} columns`, stdout.trimEnd(), columns)
  }
})
