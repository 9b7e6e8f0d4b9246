// Draws `docs/picture.svg`: commands typed at a terminal on a new sandbox, and what the built program really shows.
// `--check` draws nothing, and ends with 1 where the picture shows something else.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { screenOf } from './screen.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const file = join(root, 'docs/picture.svg')
const columns = 80

const settings = `timezone: Europe/Berlin
anonymize_ips: true
week_start_day: 1
`

/** What is typed, what is answered to which question, and the text that ends the picture while the command runs. */
const scenes = [
  { line: 'analytics persons list --search ada@' },
  { line: 'analytics projects diff -f shop.yaml' },
  {
    line: 'analytics persons delete --property plan=free',
    hidden: '--concurrency 1 --rate 8/s',
    question: /Type (\d+) to [^:]*: $/,
    until: /━{9,}┄+ \d+ of \d+/,
  },
]

/** Cells of the terminal, in pixels, and what is around them. */
const cell = { width: 8.4, height: 19 }
const margin = 18
const [paper, ink] = ['#0d1117', '#e6edf3']
const colors = { 31: '#ff7b72', 32: '#7ee787', 33: '#e3b341', 36: '#79c0ff', 90: '#8b949e' }

const home = mkdtempSync(join(tmpdir(), 'analytics-picture-'))
try {
  if (hasTerminal()) await draw()
} finally {
  rmSync(home, { recursive: true, force: true })
}

/** Other systems have a `script` too, with other options. */
function hasTerminal() {
  return spawnSync('script', ['--version'], { encoding: 'utf8' }).stdout?.includes('util-linux') ?? false
}

async function draw() {
  writeFileSync(join(home, 'shop.yaml'), settings)
  const lines = []
  for (const scene of scenes) {
    if (lines.length > 0) lines.push([])
    lines.push(
      [
        { text: '$ ', color: 32 },
        { text: scene.line, bold: true },
      ],
      ...(await shown(scene)),
    )
  }
  const drawn = svg(lines)
  const isSame = existsSync(file) && still(readFileSync(file, 'utf8')) === still(drawn)
  if (isSame) return
  if (!process.argv.includes('--check')) return writeFileSync(file, drawn)
  process.stdout.write('docs/picture.svg is stale: node scripts/picture.mjs draws it\n')
  process.exitCode = 1
}

/** Without the moving line, which is another one each time. */
function still(drawn) {
  return drawn.replace(/<text[^\n]*[━┄][^\n]*/, '')
}

/** What stands on the terminal at the end of a command, or as soon as `until` does. */
function shown({ line, hidden = '', question, until }) {
  const command = `'${process.execPath}' '${join(root, 'bin/analytics.js')}' ${line.replace(/^analytics /, '')} ${hidden}`
  const child = spawn('script', ['-qec', `stty cols ${columns}; exec ${command}`, '/dev/null'], {
    cwd: home,
    env: { PATH: process.env.PATH, HOME: home, TERM: 'xterm-256color', ANALYTICS_SANDBOX: '1' },
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  let bytes = ''
  let isAnswered = false
  return new Promise((resolve, reject) => {
    child.stdout.setEncoding('utf8').on('data', chunk => {
      bytes += chunk
      const lines = screenOf(bytes, columns)
      const last = (lines.at(-1) ?? []).map(({ text }) => text).join('')
      const [, answer] = (!isAnswered && question?.exec(last)) || []
      if (answer) {
        isAnswered = true
        child.stdin.write(`${answer}\r`)
      }
      if (!until?.test(last)) return
      child.kill()
      resolve(lines)
    })
    child.on('error', reject)
    child.on('close', () =>
      until?.test(bytes) === false ? reject(new Error(bytes)) : resolve(screenOf(bytes, columns)),
    )
  })
}

function svg(lines) {
  const width = Math.ceil(columns * cell.width + 2 * margin)
  const height = lines.length * cell.height + 2 * margin
  const rows = lines.map((line, i) => {
    const y = margin + (i + 0.75) * cell.height
    return `${line.map(behind(y)).join('')}${textOf(line, y)}`
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">
<title>analytics on its sandbox: a list, a settings diff, and a deletion with its preview, its question and its progress</title>
<rect width="100%" height="100%" rx="8" fill="${paper}"/>
<g fill="${ink}" font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, monospace" font-size="14">
${rows.filter(Boolean).join('\n')}
</g>
</svg>
`
}

function startOf(line, i) {
  const cells = line.slice(0, i).reduce((sum, { text }) => sum + [...text].length, 0)
  return (margin + cells * cell.width).toFixed(1)
}

function widthOf(text) {
  return ([...text].length * cell.width).toFixed(1)
}

/** The ground of inverted text. */
function behind(y) {
  return ({ text, color, inverse }, i, line) => {
    if (!inverse) return ''
    const place = `x="${startOf(line, i)}" y="${(y - cell.height * 0.75).toFixed(1)}"`
    return `<rect ${place} width="${widthOf(text)}" height="${cell.height}" fill="${colors[color] ?? ink}"/>`
  }
}

function textOf(line, y) {
  return line.length === 0 ? '' : `<text y="${y}">${line.map(span).join('')}</text>`
}

/** Blanks of another kind, because some browsers draw several as one. */
function span({ text, bold, color, inverse }, i, line) {
  const place = `x="${startOf(line, i)}" textLength="${widthOf(text)}"`
  const fill = inverse ? paper : colors[color]
  const style = [bold ? ' font-weight="700"' : '', fill ? ` fill="${fill}"` : ''].join('')
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
  return `<tspan ${place}${style}>${escaped.replaceAll(' ', '\u00a0')}</tspan>`
}
