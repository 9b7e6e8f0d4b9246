/** Prints how fast the program is, as ratios measured side by side in this one run. `--json` for machines. */
import { cpus } from 'node:os'
import { exports } from './exports.mjs'
import { startup } from './startup.mjs'

const machine = { node: process.version, platform: `${process.platform} ${process.arch}`, cores: cpus().length }
const rows = [...(await startup()), ...(await exports())]

if (process.argv.includes('--json')) process.stdout.write(`${JSON.stringify({ machine, rows }, null, 2)}\n`)
else {
  const line = (name, goal, measured, met) =>
    process.stdout.write(`${name.padEnd(36)}${goal.padStart(9)}${measured.padStart(20)}  ${met}\n`)
  process.stdout.write(`Node ${machine.node}, ${machine.platform}, ${machine.cores} cores\n\n`)
  line('', 'goal', 'measured', '')
  for (const { name, goal, value, unit, met } of rows)
    line(name, goal, `${value.toFixed(2)} ${unit}`, met ? 'met' : 'MISSED')
}
