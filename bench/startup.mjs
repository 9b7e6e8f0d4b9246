/** Start-up beside an empty script under the same Node. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { atMost, program, ratio, time } from './measure.mjs'

const rounds = 21

const loading =
  'Node loads its own streams and sockets (4 ms), compiles the HTTP parser (4 ms) and reads our compiled code (4 ms)'
const building =
  'Node loads modules of its own (4 ms), V8 reads our compiled code (4 ms), and the way to the command is declared (3 ms)'

const list = ['persons', 'list', '-o', 'json']
const cases = [
  ['--version', 1.15, ['--version']],
  ['--help', 1.15, ['--help']],
  ['persons --help', 1.15, ['persons', '--help']],
  ['a usage error', 1.5, ['persons', 'lsit', '-q'], building, 2],
  ['completion of a word', 1.15, ['__complete', '--', 'persons', 'l']],
  ['completion of an option', 1.6, ['__complete', '--', 'persons', 'list', '--li'], building],
  ['persons list -o json, 50 rows', 2.2, list, loading],
  ['persons list -o table, 50 rows', 2.6, ['persons', 'list'], loading],
]

export async function startup(world) {
  const { home, env } = world
  const empty = join(home, 'empty.js')
  writeFileSync(empty, '')
  const node = (args, exit) => time(process.execPath, args, env, exit)
  const floor = () => node([empty])
  const rows = []
  for (const [name, goal, args, limit, exit] of cases) {
    const value = await ratio(() => node([program, ...args], exit), floor, rounds)
    rows.push(atMost(name, goal, value, '× floor', limit))
  }

  return rows
}
