// Writes docs/agents.md, docs/reference.md and the example in docs/contributing.md from the code.
// --check writes nothing: it names each page that is out of date, and exits with 1 if there is one.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { runnerImport } from 'vite'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const check = process.argv.includes('--check')
if (!check) await import('./build.mjs')
const { module } = await runnerImport(join(root, 'scripts/declarations.ts'))
const { agentsPage, exits, settingRows, variables, program, commands } = module

const pages = { 'agents.md': agentsPage, 'reference.md': referencePage(), 'contributing.md': contributingPage() }
for (const [name, text] of Object.entries(pages)) {
  const path = join(root, 'docs', name)
  if (existsSync(path) && readFileSync(path, 'utf8') === text) continue
  if (check) process.exitCode = 1
  else writeFileSync(path, text)
  process.stdout.write(`docs/${name} ${check ? 'is out of date: run npm run docs' : 'written'}\n`)
}

function referencePage() {
  const described = rows => rows.map(([name, summary]) => [`\`${name}\``, summary])
  const stored = settingRows.flatMap(([name, row]) => (row.isInProfile ? [[name, row.summary]] : []))
  return `${[
    '# Reference',
    '<!-- Written by `npm run docs` from the code: change it there. -->',
    'Look up a command, an option, a variable, an exit code or the shape of JSON output. `analytics COMMAND --help` explains each option, with examples.',
    '## Commands',
    ...commands.map(commandSection),
    '## Options of every command',
    table(['option', 'description'], described(program.options.map(one => [one.flags, one.description]))),
    '## Variables',
    'An option overrides a variable, a variable the profile, and the profile the default. An empty variable counts as unset. With `--profile`, the variables for key, base URL and headers are ignored. `analytics profiles show` prints where each value comes from.',
    table(['variable', 'description'], described(variables)),
    '## Profiles',
    '`config.json` is in `$XDG_CONFIG_HOME/analytics` (default: `~/.config/analytics`; on Windows `%APPDATA%\\analytics`). Jobs and the sandbox are in `$XDG_STATE_HOME/analytics` (default: `~/.local/state/analytics`; on Windows `%LOCALAPPDATA%\\analytics`). A profile holds:',
    table(['member', 'description'], described(stored)),
    '## Exit codes',
    table(
      ['code', 'name', 'when', 'retry?'],
      exits.map(({ code, name, when, retry }) => [code, name, when, retry]),
    ),
    'A signal overrides everything. A run that stops early exits with the code of what stopped it. A finished run with a failure exits with 8. An error overrides drift.',
    '## JSON shapes',
    'What `-o json` prints in the sandbox. Your server can add fields. `null` marks a field that is empty in the example.',
    table(['command', 'shape'], shapes()),
  ].join('\n\n')}\n`
}

function commandSection({ words, command, parser }) {
  const { summary, details } = command
  const options = parser.options.filter(({ hidden }) => !hidden).map(({ flags }) => `\`${flags}\``)
  return [
    `### ${words}`,
    details ? `${summary}. ${details}` : `${summary}.`,
    ['```', `analytics ${words} ${parser.usage()}`, '```'].join('\n'),
    ...(options.length > 0 ? [`Options: ${options.join(', ')}.`] : []),
  ].join('\n\n')
}

/** Runs each command in a new sandbox. */
function shapes() {
  const folder = mkdtempSync(join(tmpdir(), 'analytics-docs-'))
  const env = {
    PATH: process.env.PATH,
    ANALYTICS_SANDBOX: '1',
    ANALYTICS_STATE_DIR: folder,
    ANALYTICS_CONFIG_DIR: folder,
  }
  const commands = [
    'persons get 55',
    'persons list',
    'event-definitions list',
    'plugins get 1',
    'persons update 3 a=b -n',
    'persons delete 3 --yes',
    'persons verify --last',
    'jobs list',
    'jobs receipt --last',
    'projects get --fields id,name,timezone',
    'persons get 999999',
  ]
  const rows = commands.map(line => {
    const argv = [join(root, 'bin/analytics.js'), ...line.split(' '), '-o', 'json', '-q']
    try {
      return [line, execFileSync(process.execPath, argv, { encoding: 'utf8', env, stdio: 'pipe' })]
    } catch ({ stderr }) {
      return ['an error (last line of stderr)', stderr.trim().split('\n').at(-1)]
    }
  })
  rmSync(folder, { recursive: true, force: true })
  return rows.map(([line, text]) => [`\`${line}\``, `\`${shapeOf(JSON.parse(text))}\``])
}

function shapeOf(value, name) {
  if (value === null) return 'null'
  if (Array.isArray(value)) return value.length === 0 ? '[]' : `[${shapeOf(value[0])}]`
  if (typeof value !== 'object') return typeof value
  if (name === 'properties' || name === 'actor') return '{…}'
  return `{${Object.entries(value).map(([key, one]) => `"${key}":${shapeOf(one, key)}`)}}`
}

/** The command of the example is the file that it names. */
function contributingPage() {
  const page = readFileSync(join(root, 'docs/contributing.md'), 'utf8')
  return page.replace(/(the whole of `(.*)`:\n\n {3}```ts\n)[\s\S]*?( {3}```\n)/, (_, head, path, end) => {
    return head + readFileSync(join(root, path), 'utf8').replace(/^(?=.)/gm, '   ') + end
  })
}

function table(head, rows) {
  const line = cells => `| ${cells.map(cell => String(cell).replaceAll('|', '\\|')).join(' | ')} |`
  return [line(head), `|${'---|'.repeat(head.length)}`, ...rows.map(line)].join('\n')
}
