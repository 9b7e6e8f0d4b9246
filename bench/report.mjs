/** The measurements as text: a run as a block of lines, and in `docs/speed.md`, which keeps the last one of each Node. */

/** Machine, table, and what sets the limit of each goal that was missed. */
export function blockOf({ node, platform, cores, model, load }, rows) {
  const missed = rows.filter(({ met }) => met === false)
  const limits = missed.map(({ name, unit, limit }) => `${name} (${unit})${limit ? `: ${limit}` : ''}`)
  const [before, after] = load.map(number => number.toFixed(1))
  const machine = `Node ${node}, ${platform}, ${cores} × ${model}, load ${before} before and ${after} after`
  const lines = [machine, '', ...tableOf(rows)]
  return [...lines, ...(limits.length > 0 ? ['', 'What sets the limit where a goal is missed:', ...limits] : [])].join(
    '\n',
  )
}

/** Name, goal, what was measured, and whether the goal is met. */
function tableOf(rows) {
  const cells = [
    ['', 'goal', 'measured', ''],
    ...rows.map(({ name, goal, value, unit, met }) => [name, goal, `${digits(value)} ${unit}`.trim(), verdict(met)]),
  ]
  const widths = [0, 1, 2].map(column => Math.max(...cells.map(row => row[column].length)))
  return cells.map(([name, goal, measured, end]) =>
    `${name.padEnd(widths[0])}  ${goal.padStart(widths[1])}  ${measured.padStart(widths[2])}  ${end}`.trimEnd(),
  )
}

function verdict(met) {
  if (met === undefined) return ''
  return met ? 'met' : 'MISSED'
}

function digits(value) {
  return Math.abs(value) >= 20 || Number.isInteger(value) ? String(Math.round(value)) : value.toFixed(2)
}

/** `docs/speed.md` with this run in the place of the last one under the same major version of Node. */
export function pageOf(block, page) {
  const runOf = text => /^Node v\d+/.exec(text)?.[0]
  return page.replace(/(?<=^```\n)Node v\d+.*?(?=\n```$)/gms, run => (runOf(run) === runOf(block) ? block : run))
}
