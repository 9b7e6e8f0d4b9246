/** Start-up beside an empty script under the same Node. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { atMost, cpu, has, program, ratio, time } from './measure.mjs'

const rounds = 21
const isNode20 = process.version.startsWith('v20.')
const list = ['persons', 'list', '-o', 'json']

const cases = [
  ['--version', 1.15, ['--version']],
  ['--help', 1.15, ['--help']],
  ['a usage error', 1.8, ['persons', 'lsit', '-q'], 2],
  ['completion of a word', 1.5, ['__complete', '--', 'persons', 'l']],
  ['completion of an option', 1.8, ['__complete', '--', 'persons', 'list', '--li']],
  ['persons list -o json, 50 rows', isNode20 ? 2.6 : 2.1, list],
  ['persons list -o table, 50 rows', isNode20 ? 2.9 : 2.4, ['persons', 'list']],
]

export async function startup({ home, env }) {
  const empty = join(home, 'empty.js')
  writeFileSync(empty, '')
  const beside = (measure, args, exit) =>
    ratio(
      () => measure([program, ...args], exit),
      () => measure([empty]),
      rounds,
    )
  const rows = []
  for (const [name, goal, args, exit] of cases) {
    const value = await beside((argv, code) => time(process.execPath, argv, env, code), args, exit)
    rows.push(atMost(name, goal, value, '× floor'))
  }
  if (!has('bash')) return rows
  // Nothing can be written below a device, so each run is as the first one.
  const uncached = { ...env, XDG_CACHE_HOME: '/dev/null' }
  const value = await beside(argv => cpu(process.execPath, argv, uncached), list)
  return [...rows, atMost('the same json without a cache, processor time', isNode20 ? 2.6 : 2.4, value, '× floor')]
}
