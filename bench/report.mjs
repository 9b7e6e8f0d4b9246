/** The measurements as text: a run as a block of lines, and in `docs/speed.md`, which keeps the last one of each Node. */

/** What was timed on this machine, and what is the same on every one; the first line of a block names it. */
export function blocksOf(machine, rows) {
  const timed = rows.filter(({ isCount }) => !isCount)
  const counted = rows.filter(({ isCount }) => isCount)
  return [
    ...(timed.length > 0 ? [blockOf(titleOf(machine), timed)] : []),
    ...(counted.length > 0 ? [blockOf('Requests', counted)] : []),
  ]
}

function titleOf({ node, platform, cores, model, load }) {
  const [before, after] = load.map(number => number.toFixed(1))
  return `Node ${node}, ${platform}, ${cores} × ${model}, load ${before} before and ${after} after`
}

/** Title, table, and what sets the limit of each goal that was missed. */
function blockOf(title, rows) {
  const missed = rows.filter(({ met }) => met === false)
  const limits = missed.map(({ name, unit, limit }) => `${name} (${unit})${limit ? `: ${limit}` : ''}`)
  const lines = [title, '', ...tableOf(rows)]
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

/** `docs/speed.md` with each block in the place of the last one under the same major version of Node, or of counts. */
export function pageOf(blocks, page) {
  const nameOf = text => /^(?:Node v\d+|Requests)/.exec(text)?.[0]
  return page.replace(
    /(?<=^```\n)(?:Node v\d+|Requests).*?(?=\n```$)/gms,
    old => blocks.find(block => nameOf(block) === nameOf(old)) ?? old,
  )
}
