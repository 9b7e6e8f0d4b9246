/** The measurements as text: a run as a block of lines, and the page in `docs/` that keeps the last one of each Node. */

/** Machine, table, and of each goal that was missed what sets the limit. */
export function blockOf({ node, platform, cores, model }, rows) {
  const missed = rows.filter(({ met }) => met === false)
  const limits = missed.map(({ name, unit, limit }) => `${name} (${unit})${limit ? `: ${limit}` : ''}`)
  const lines = [`Node ${node}, ${platform}, ${cores} × ${model}`, '', ...tableOf(rows)]
  return [...lines, ...(limits.length > 0 ? ['', 'What sets the limit where a goal is missed:', ...limits] : [])].join(
    '\n',
  )
}

/** Name, goal, what was measured, and whether it will do. */
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

/** `docs/speed.md` with this run in it; `last`: the page as it is, of which runs under another Node are kept. */
export function pageOf(block, last) {
  const runs = new Map([...last.matchAll(/^```\n(Node v(\d+).*?)\n```$/gms)].map(([, run, major]) => [major, run]))
  runs.set(/^Node v(\d+)/.exec(block)[1], block)
  const blocks = [...runs].sort(([a], [b]) => a - b).map(([, run]) => `\`\`\`\n${run}\n\`\`\``)
  return `# Speed

Written by \`npm run bench -- --write\`: to be measured again, not to be edited.

Nearly every number is a ratio of times that were measured in turn on one machine, the median of several rounds: a machine
that is slow or busy is so for both sides. The floor is an empty script under the same Node. \`NODE_EXTRA_CA_CERTS\` is left
out: Node 20 reads the whole of that file at every start, which would hide what is measured. Lists are of persons of
1 KB in pages of 1,000, from a service on the same machine, to \`/dev/null\`.

${blocks.join('\n\n')}

## How to repeat it

\`npm run bench\` prints it, with \`-- --json\` for machines, and with \`-- --peers\` beside programs that it fetches from npm
into a folder that it removes. It takes a few minutes; nothing else should run meanwhile.

What cannot be timed without a doubt is counted by tests in \`test/speed\`: which modules a command loads, how many bytes of
a row are copied, and how many pages are asked for ahead.

## Where the time goes

- **Start-up**: \`--version\` and the help of groups are printed from prepared text. All else loads one file of our own
  code, and of the packages only those that it reaches. Compiled code is kept in \`dist/cache\`, once for each command; the
  first run of a command on a machine takes about twice as long as those after it.
- **Exports**: rows are cut out of the answer as bytes, and written as the bytes that they are. The first page is on
  stdout before the second is asked for; from there on one page is on its way while the one before it is printed.
- **Deleting**: two lines in the journal and one request for each id, over as many connections as \`--concurrency\`
  allows. A connection carries one request at a time: of several, nobody would know which were done when it breaks.
`
}
