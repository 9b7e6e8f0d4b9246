/**
 * Draws `docs/picture.svg`: commands typed on a new sandbox, and what the built program really answers, colours and all.
 * `--check` draws nothing, and ends with 1 where the picture shows something else.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const file = join(root, 'docs/picture.svg')

const typed = [
  'analytics --sandbox persons list --search ada',
  'analytics --sandbox persons list --property plan=pro --limit 3 -o csv --fields id,properties.email',
  'analytics --sandbox persons delete 3 4',
  'analytics --sandbox projects update 1 --timezone Europe/Berlni',
]

/** Cells of the terminal, in pixels, and what is around them. */
const cell = { width: 8.4, height: 19 }
const margin = 18
const colors = { 31: '#ff7b72', 32: '#7ee787', 33: '#e3b341', 90: '#8b949e' }

const home = mkdtempSync(join(tmpdir(), 'analytics-picture-'))
try {
  const lines = typed.flatMap(line => [
    [
      { text: '$ ', color: colors[32] },
      { text: line, bold: true },
    ],
    ...answer(line),
  ])
  const drawn = svg(lines)
  if (!process.argv.includes('--check')) writeFileSync(file, drawn)
  else if (!existsSync(file) || readFileSync(file, 'utf8') !== drawn) {
    process.stdout.write('docs/picture.svg is stale: node scripts/picture.mjs draws it\n')
    process.exitCode = 1
  }
} finally {
  rmSync(home, { recursive: true, force: true })
}

/** What a command prints, both streams in their order, as lines of spans; an empty line behind it. */
function answer(line) {
  const quoted = `'${process.execPath}' '${join(root, 'bin/analytics.js')}' ${line.replace(/^analytics /, '')} 2>&1`
  const { stdout } = spawnSync('sh', ['-c', quoted], {
    encoding: 'utf8',
    env: { PATH: process.env.PATH, HOME: home, FORCE_COLOR: '1' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  return [...stdout.trimEnd().split('\n').map(spans), []]
}

/** A line with the few escapes that the program writes: bold, and the colours above. */
function spans(line) {
  const found = []
  let style = {}
  for (const piece of line.split(new RegExp(`(${String.fromCharCode(27)}\\[\\d+m)`))) {
    const code = /\[(\d+)m$/.exec(piece)?.[1]
    if (code === undefined) found.push({ text: piece, ...style })
    else if (code === '1') style = { ...style, bold: true }
    else if (code === '22') style = { ...style, bold: false }
    else style = { ...style, color: colors[code] }
  }
  return found.filter(({ text }) => text !== '')
}

function svg(lines) {
  const widest = Math.max(...lines.map(line => line.reduce((sum, { text }) => sum + text.length, 0)))
  const width = Math.ceil(widest * cell.width + 2 * margin)
  const height = (lines.length - 1) * cell.height + 2 * margin
  const rows = lines.map((line, i) => {
    const y = margin + (i + 0.75) * cell.height
    return line.length === 0 ? '' : `<text x="${margin}" y="${y}">${line.map(span).join('')}</text>`
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">
<title>analytics on its sandbox: a table, CSV, a question that nobody answers, a slip of the pen</title>
<rect width="100%" height="100%" rx="8" fill="#0d1117"/>
<g fill="#e6edf3" font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, monospace" font-size="14" xml:space="preserve">
${rows.filter(Boolean).join('\n')}
</g>
</svg>
`
}

function span({ text, bold, color }) {
  const length = `textLength="${(text.length * cell.width).toFixed(1)}"`
  const style = [bold ? 'font-weight="700"' : '', color ? `fill="${color}"` : ''].filter(Boolean).join(' ')
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
  return `<tspan ${length}${style ? ` ${style}` : ''}>${escaped}</tspan>`
}
