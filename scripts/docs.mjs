// Writes the pages of `docs/` that repeat the code.
// `--check` writes nothing, names what is stale, and ends with 1 where something is.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const check = process.argv.includes('--check')
if (!check) await import('./build.mjs')
const generated = '<!-- Written by `npm run docs` from the code: change it there. -->'

const { agentsPage, allCommands, exits, settingRows, variables } = await declarations()
const { program, commands } = await allCommands()

const pages = {
  'agents.md': agentsPage,
  'commands.md': commandsPage(),
  'environment.md': environmentPage(),
  'contributing.md': contributingPage(),
}
const stale = Object.entries(pages).filter(([name, text]) => read(name) !== text)
if (!check) for (const [name, text] of stale) writeFileSync(pathOf(name), text)
for (const [name] of stale)
  process.stdout.write(`docs/${name} ${check ? 'is stale: npm run docs writes it' : 'written'}\n`)
if (check && stale.length > 0) process.exitCode = 1

function commandsPage() {
  const everywhere = table(['option', 'what it does'], program.options.map(optionRow))
  return `${[
    '# Commands',
    generated,
    'Every command, with the names of its own options; `analytics <command> --help` shows what each means there. The options that every command takes are at the end.',
    ...commands.map(commandSection),
    '## Options of every command',
    everywhere,
  ].join('\n\n')}\n`
}

function commandSection({ words, command, parser }) {
  const { summary, details, examples } = command
  const options = parser.options.filter(({ hidden }) => !hidden).map(({ flags }) => `\`${flags}\``)
  return [
    `## ${words}`,
    details ? `${summary}. ${details}` : `${summary}.`,
    fenced([`analytics ${words} ${parser.usage()}`]),
    ...(options.length > 0 ? [`Options: ${options.join(', ')}.`] : []),
    fenced(examples.map(line => `analytics ${line}`)),
  ].join('\n\n')
}

function optionRow({ flags, description }) {
  return [`\`${flags}\``, description]
}

/** Only the tables are written from the code. */
function environmentPage() {
  const profiled = settingRows.filter(([, row]) => row.profile)
  const tables = {
    variables: table(
      ['variable', 'what it is'],
      variables.map(([name, summary]) => [`\`${name}\``, summary]),
    ),
    profile: table(
      ['key in config.json', 'what it is'],
      profiled.map(([name, row]) => [`\`${name}\``, row.summary]),
    ),
    exits: table(
      ['code', 'name', 'when', 'same command again?'],
      exits.map(({ code, name, when, again }) => [code, name, when, again]),
    ),
  }
  return read('environment.md').replace(
    /(<!-- (variables|profile|exits) -->\n\n)(?:\|.*\n)*/g,
    (_, mark, name) => `${mark}${tables[name]}\n`,
  )
}

/** The example of a command is the file that it names. */
function contributingPage() {
  return read('contributing.md').replace(
    /(the whole of `(.*)`:\n\n {3}```ts\n)[\s\S]*?( {3}```\n)/,
    (_, head, path, end) => {
      const text = readFileSync(join(root, path), 'utf8')
      return `${head}${text.replace(/^(?=.)/gm, '   ')}${end}`
    },
  )
}

function table(head, rows) {
  const line = cells => `| ${cells.map(cell => String(cell).replaceAll('|', '\\|')).join(' | ')} |`
  return [line(head), `|${'---|'.repeat(head.length)}`, ...rows.map(line)].join('\n')
}

function fenced(lines) {
  return ['```', ...lines, '```'].join('\n')
}

function pathOf(name) {
  return join(root, 'docs', name)
}

function read(name) {
  return existsSync(pathOf(name)) ? readFileSync(pathOf(name), 'utf8') : undefined
}

/** What the code declares. */
async function declarations() {
  const { outputFiles } = await build({
    absWorkingDir: root,
    stdin: {
      contents: `export { exits } from './src/errors.ts'
export { settingRows } from './src/config/settings.ts'
export { variables } from './src/commands/help.ts'
export { agentsPage } from './src/commands/agents.ts'
export { allCommands } from './scripts/all-commands.ts'`,
      resolveDir: root,
    },
    bundle: true,
    packages: 'external',
    format: 'cjs',
    platform: 'node',
    write: false,
  })
  const module = { exports: {} }
  new Function('module', 'exports', 'require', outputFiles[0].text)(
    module,
    module.exports,
    createRequire(import.meta.url),
  )
  return module.exports
}
