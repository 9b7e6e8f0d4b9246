/** Start-up, each command in turn with an empty script under the same Node: A B A B …, so that drift hits both. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { median, program, time, world } from './measure.mjs'

const rounds = 21

const cases = [
  ['analytics --version', 1.15, ['--version']],
  ['analytics --help', 1.15, ['--help']],
  ['analytics persons --help', 1.3, ['persons', '--help']],
  ['a usage error', 1.4, ['persons', 'lsit', '-q']],
  ['persons list -o json, 50 rows', 2.2, ['persons', 'list', '-o', 'json']],
  ['persons list -o table, 50 rows', 3, ['persons', 'list']],
]

/** Rows of { name, goal, value, unit, met }. */
export async function startup() {
  const { home, env, close } = await world()
  const empty = join(home, 'empty.js')
  writeFileSync(empty, '')
  try {
    const rows = []
    for (const [name, goal, args] of cases) {
      const ratios = []
      for (let i = 0; i <= rounds; i++) {
        const ours = await time(process.execPath, [program, ...args], env)
        const floor = await time(process.execPath, [empty], env)
        if (i > 0) ratios.push(ours / floor)
      }
      const value = median(ratios)
      rows.push({ name, goal: `<= ${goal}`, value, unit: '× floor', met: value <= goal })
    }
    return rows
  } finally {
    close()
  }
}
