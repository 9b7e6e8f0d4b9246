/** Prints how fast the program is, as ratios measured side by side in this one run. `--json` for machines. */
import { startup } from './startup.mjs'

const rows = await startup()
if (process.argv.includes('--json')) process.stdout.write(`${JSON.stringify(rows, null, 2)}\n`)
else {
  process.stdout.write(`Node ${process.version}, ${process.platform} ${process.arch}\n\n`)
  const line = (...cells) => process.stdout.write(`${cells[0].padEnd(44)}${cells[1].padStart(10)}${cells[2].padStart(12)}${cells[3].padStart(9)}\n`)
  line('', 'goal', 'measured', '')
  for (const { name, goal, ratio, unit } of rows) {
    line(name, `<= ${goal}`, `${ratio.toFixed(2)} ${unit}`, ratio <= goal ? 'pass' : 'MISSED')
  }
}
