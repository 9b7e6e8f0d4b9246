/** Start-up beside an empty script under the same Node. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { atMost, program, ratio, time } from './measure.mjs'

const rounds = 21

const loading =
  'Node loads its own streams and sockets (4 ms), compiles the HTTP parser (4 ms) and reads our compiled code (4 ms)'

const cases = [
  ['--version', 1.15, ['--version']],
  ['--help', 1.15, ['--help']],
  ['persons --help', 1.3, ['persons', '--help']],
  ['a usage error', 1.4, ['persons', 'lsit', '-q']],
  ['completion of a word', 1.4, ['__complete', '--', 'persons', 'l']],
  ['persons list -o json, 50 rows', 2.2, ['persons', 'list', '-o', 'json'], loading],
  ['persons list -o table, 50 rows', 3, ['persons', 'list'], loading],
]

export async function startup({ home, env }) {
  const empty = join(home, 'empty.js')
  writeFileSync(empty, '')
  const rows = []
  for (const [name, goal, args, limit] of cases) {
    const ours = () => time(process.execPath, [program, ...args], env)
    const floor = () => time(process.execPath, [empty], env)
    rows.push(atMost(name, goal, await ratio(ours, floor, rounds), '× floor', limit))
  }
  return rows
}
