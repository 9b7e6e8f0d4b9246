/** Start-up beside an empty script under the same Node. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { atMost, program, ratio, time } from './measure.mjs'

const rounds = 21

const cases = [
  ['--version', 1.15, ['--version']],
  ['--help', 1.15, ['--help']],
  ['a usage error', 1.5, ['persons', 'lsit', '-q'], 2],
  ['completion of a word', 1.5, ['__complete', '--', 'persons', 'l']],
  ['completion of an option', 1.5, ['__complete', '--', 'persons', 'list', '--li']],
  ['persons list -o json, 50 rows', 2.2, ['persons', 'list', '-o', 'json']],
  ['persons list -o table, 50 rows', 2.6, ['persons', 'list']],
]

export async function startup({ home, env }) {
  const empty = join(home, 'empty.js')
  writeFileSync(empty, '')
  const node = (args, exit) => time(process.execPath, args, env, exit)
  const rows = []
  for (const [name, goal, args, exit] of cases) {
    const value = await ratio(
      () => node([program, ...args], exit),
      () => node([empty]),
      rounds,
    )
    rows.push(atMost(name, goal, value, '× floor'))
  }
  return rows
}
