// Writes the pages of `docs/` that repeat the code, and the picture of the README.
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

const { exits, forms, goodAnswers, settingRows, variables } = await declarations()
const [program, ...commands] = JSON.parse(
  execFileSync(process.execPath, [join(root, 'bin/analytics.js'), 'commands', '-o', 'json'], {
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  }),
)

const pages = {
  'commands.md': commandsPage(),
  'exit-codes.md': exitCodesPage(),
  'environment.md': environmentPage(),
  'servers.md': serversPage(),
}
const stale = Object.entries(pages).filter(([name, text]) => read(name) !== text)
if (!check) for (const [name, text] of stale) writeFileSync(pathOf(name), text)
for (const [name] of stale)
  process.stdout.write(`docs/${name} ${check ? 'is stale: npm run docs writes it' : 'written'}\n`)
if (check && stale.length > 0) process.exitCode = 1
await import('./picture.mjs')

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

function exitCodesPage() {
  return `${[
    '# Exit codes',
    generated,
    'The same for every command, so that a script can tell what to do next without reading a word. `analytics help exit-codes` shows them at a terminal.',
    table(
      ['code', 'name', 'when', 'same command again?'],
      exits.map(({ code, name, when, again }) => [code, name, when, again]),
    ),
    'Where several apply: a signal first; a run that was stopped early ends with what stopped it (4, 5, 6, 7, or 8 by `--max-failures`); a finished run with any failure is 8; an error comes before drift. When the reader of stdout closes the pipe, reading stops with 0, but a bulk run goes on. Where the disk has no room for the output, the receipt or the summary after something was sent, it is 7 and not 2: sent requests are not undone, and `retryable` is false. It is false too where it is not known whether the service has created something, split a person, upgraded a plugin, or done what `api` asked of a path that is not documented: look before you repeat it. Other changes and deletions do the same when they are sent twice.',
    'An error is one or two lines on stderr: what happened, and what to do. With `-o json` or `-o ndjson` it is one JSON object, the last line of stderr:',
    [
      '```sh',
      'analytics --sandbox persons get 999999 -o json # exit code 3',
      '```',
      '',
      '```',
      '{"error":{"name":"not-found","exit":3,"message":"Person 999999 of project 1 was not found","status":404,"code":"not_found","attr":null,"method":"GET","url":"http://sandbox.invalid/api/projects/1/persons/999999/","request_id":null,"retryable":false,"retry_after_s":null,"hint":"Check the id, and the project or organization that it belongs to"}}',
      '```',
    ].join('\n'),
    'In a script:',
    [
      '```sh',
      'analytics --sandbox persons get 999999 -o json',
      'case $? in',
      '  0) echo "there" ;;',
      '  3) echo "not there" ;;',
      '  6 | 7) echo "try again later" ;;',
      '  *) echo "look at it" ;;',
      'esac',
      '```',
    ].join('\n'),
  ].join('\n\n')}\n`
}

function environmentPage() {
  const profiled = settingRows.filter(([, row]) => row.profile)
  return `${[
    '# Environment',
    generated,
    'An option overrides a variable, a variable overrides the profile, and the profile overrides the default. An empty variable counts as unset. `analytics profiles show` says where each value comes from, and `analytics doctor` checks that they work.',
    table(
      ['variable', 'option', 'what it is'],
      variables.map(({ name, option, summary }) => [`\`${name}\``, option ? `\`${option}\`` : '', summary]),
    ),
    '## Files',
    table(
      ['file', 'what it holds'],
      [
        ['`$XDG_CONFIG_HOME/analytics/config.json`', 'profiles; 0600 in a folder 0700'],
        ['`$XDG_STATE_HOME/analytics/jobs/`', 'a folder for each bulk run'],
        ['`$XDG_STATE_HOME/analytics/sandbox.db`', 'the sandbox'],
      ],
    ),
    '`ANALYTICS_CONFIG_DIR` and `ANALYTICS_STATE_DIR` name these folders outright; without them and without the XDG variables they are `~/.config/analytics` and `~/.local/state/analytics`, where `~` is `C:\\Users\\you` on Windows.',
    '## What a profile holds',
    table(
      ['key in config.json', 'what it is'],
      profiled.map(([name, row]) => [`\`${name}\``, row.summary]),
    ),
  ].join('\n\n')}\n`
}

/** Only the table of good answers is written from the code. */
function serversPage() {
  const mark = '<!-- This table is written by `npm run docs` from `src/api/good-answers.ts`: change it there. -->'
  const [before, after] = read('servers.md').split(mark)
  const rows = goodAnswers.map(row => [row.to, row.forms.map(form => forms[form].words).join(', ')])
  const drawn = table(['request', 'bodies of a 2xx that say that it was done'], rows)
  return `${before}${mark}\n\n${drawn}\n\n${after.replace(/^\n+(\|.*\n)*\n*/, '')}`
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
