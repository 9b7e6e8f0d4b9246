// Writes the pages of `docs/` that repeat the code.
// `--check` writes nothing, names what is stale, and ends with 1 where something is.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { declarations } from './declarations.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const check = process.argv.includes('--check')
if (!check) await import('./build.mjs')
const generated = '<!-- Written by `npm run docs` from the code: change it there. -->'

const { exits, settingRows, variables } = await declarations()
const [program, ...commands] = JSON.parse(
  execFileSync(process.execPath, [join(root, 'bin/analytics.js'), 'commands', '-o', 'json'], {
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  }),
)

const pages = {
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
  return [
    '# Commands',
    generated,
    'Every command, with its own options. The options of every command are listed [at the end](#options-everywhere). `analytics <command> --help` shows the same at a terminal, and `analytics commands -o json` gives it to other programs.',
    table(
      ['command', 'what it does'],
      commands.map(({ words, summary }) => [`[${words}](#${anchor(words)})`, summary]),
    ),
    ...commands.map(commandSection),
    '## Options everywhere',
    table(['option', 'what it does'], program.options.map(optionRow)),
  ]
    .join('\n\n')
    .concat('\n')
}

function commandSection({ words, summary, details, arguments: args, options, endpoints, examples, exits: codes }) {
  const usage = ['analytics', words, ...args.map(argumentOf), '[options]'].join(' ')
  return [
    `## ${words}`,
    details ? `${summary}. ${details}` : `${summary}.`,
    fenced([usage]),
    'Examples:',
    fenced(examples),
    ...(args.length > 0
      ? [
          table(
            ['argument', 'what it is'],
            args.map(arg => [`\`${arg.name}\``, arg.summary]),
          ),
        ]
      : []),
    ...(options.length > 0 ? [table(['option', 'what it does'], options.map(optionRow))] : []),
    ...(endpoints.length > 0 && endpoints.length < 12
      ? [`Calls ${endpoints.map(({ method, path }) => `\`${method} ${path}\``).join(', ')}.`]
      : []),
    `Exit codes: ${codes.join(', ')}.`,
  ].join('\n\n')
}

function argumentOf({ name, form }) {
  if (form === 'required') return name
  return form === 'many' ? `[${name}...]` : `[${name}]`
}

function optionRow({ name, short, value, choices, negatable, repeatable, summary }) {
  const long = negatable ? `--[no-]${name.slice(2)}` : name
  const term = [short, value ? `${long} ${value}` : long].filter(Boolean).join(', ')
  const listed = choices && !choices.every(choice => summary.includes(choice)) ? [choices.join(', ')] : []
  return [`\`${term}\``, [summary, ...listed, ...(repeatable ? ['repeatable'] : [])].filter(Boolean).join('; ')]
}

/** Only the tables are written from the code. */
function environmentPage() {
  const profiled = settingRows.filter(([, row]) => row.profile)
  const tables = {
    variables: table(
      ['variable', 'option', 'what it is'],
      variables.map(({ name, option, summary }) => [`\`${name}\``, option ? `\`${option}\`` : '', summary]),
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
    (_, mark, name) => `${mark}${tables[name]}\n${''}`,
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

/** As GitHub names a heading. */
function anchor(heading) {
  return heading.toLowerCase().replaceAll(' ', '-')
}

function pathOf(name) {
  return join(root, 'docs', name)
}

function read(name) {
  return existsSync(pathOf(name)) ? readFileSync(pathOf(name), 'utf8') : undefined
}
