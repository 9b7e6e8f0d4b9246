/** Start-up beside an empty script under the same Node. */
import { cpSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { bare, reference } from './bare.mjs'
import { atMost, program, ratio, time } from './measure.mjs'

const rounds = 21

const loading =
  'Node loads its own streams and sockets (4 ms), compiles the HTTP parser (4 ms) and reads our compiled code (4 ms)'
const building =
  'Node loads modules of its own (4 ms), V8 reads our compiled code (4 ms), and the way to the command is declared (3 ms)'
const compiling = 'V8 reads all of our code once before it runs any of it'

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
  const { home, url, env } = world
  const empty = join(home, 'empty.js')
  writeFileSync(empty, '')
  const node = (args, exit) => time(process.execPath, args, env, exit)
  const floor = () => node([empty])
  const rows = []
  for (const [name, goal, args, limit, exit] of cases) {
    const value = await ratio(() => node([program, ...args], exit), floor, rounds)
    rows.push(atMost(name, goal, value, '× floor', limit))
    if (args !== list) continue
    const discarding = bare(world, { method: 'GET', width: 1, address: `${url}/api/projects/50/persons/`, count: 1 })
    rows.push(reference('node:http', await ratio(discarding, floor, rounds), '× floor'))
  }

  const { bin, cache } = copied(home)
  // A file in the place of the folder: nothing can be kept there.
  writeFileSync(cache, '')
  const unkept = await ratio(() => node([bin, ...list]), floor, rounds)
  rows.push(atMost('persons list -o json, no compiled code kept', 2.75, unkept, '× floor', compiling))

  const first = () => {
    rmSync(cache, { recursive: true, force: true })
    return node([bin, ...list])
  }
  const later = () => node([bin, ...list])
  rows.push(
    atMost('persons list -o json, first run', 1.25, await ratio(first, later, rounds), '× later ones', compiling),
  )
  return rows
}

/** The program in a folder of its own, so that its compiled code can be taken away. */
function copied(home) {
  const root = join(dirname(program), '..')
  for (const name of ['bin', 'dist']) cpSync(join(root, name), join(home, name), { recursive: true })
  const cache = join(home, 'dist/cache')
  rmSync(cache, { recursive: true, force: true })
  return { bin: join(home, 'bin/analytics.js'), cache }
}
