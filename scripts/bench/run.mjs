/**
 * Prints how fast the program is beside its goals: all of it, or the parts that are named (`npm run bench -- startup`).
 * `--write` puts it into `docs/speed.md`.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { cpus, loadavg } from 'node:os'
import { join } from 'node:path'
import { bulk } from './bulk.mjs'
import { lists } from './lists.mjs'
import { openWorld, size } from './measure.mjs'
import { requests } from './requests.mjs'
import { sandbox } from './sandbox.mjs'
import { startup } from './startup.mjs'

const parts = { requests, startup, lists, bulk, sandbox, size }
const names = process.argv.slice(2).filter(word => word !== '--write')
const unknown = names.find(name => !Object.hasOwn(parts, name))
if (unknown) throw new Error(`No part is called ${unknown}: ${Object.keys(parts).join(', ')}`)

const before = loadavg()[0]
const world = await openWorld()
const rows = []
try {
  for (const name of names.length > 0 ? names : Object.keys(parts)) rows.push(...(await parts[name](world)))
} finally {
  world.close()
}

const [from, to] = [before, loadavg()[0]].map(number => number.toFixed(1))
const title = `Node ${process.version}, ${process.platform} ${process.arch}, ${cpus().length} × ${cpus()[0]?.model}, load ${from} before and ${to} after`
const block = [title, '', ...tableOf(rows)].join('\n')
process.stdout.write(`${block}\n`)
if (process.argv.includes('--write')) {
  const page = join(import.meta.dirname, '../../docs/speed.md')
  writeFileSync(page, readFileSync(page, 'utf8').replace(/(?<=^```\n)Node v.*?(?=\n```$)/ms, block))
}

/** Name, goal, what was measured, and whether the goal is met. */
function tableOf(rows) {
  const digits = value => (value >= 20 || Number.isInteger(value) ? String(Math.round(value)) : value.toFixed(2))
  const cells = [
    ['', 'goal', 'measured', ''],
    ...rows.map(({ name, goal, value, unit, met }) => [
      name,
      goal,
      `${digits(value)} ${unit}`.trim(),
      met ? 'met' : 'MISSED',
    ]),
  ]
  const widths = [0, 1, 2].map(column => Math.max(...cells.map(row => row[column].length)))
  return cells.map(([name, goal, measured, end]) =>
    `${name.padEnd(widths[0])}  ${goal.padStart(widths[1])}  ${measured.padStart(widths[2])}  ${end}`.trimEnd(),
  )
}
