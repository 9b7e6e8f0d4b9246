/** The manual pages: `analytics`, and one for each group of commands, from the declarations that are parsed. */

/** The text of each page by the name of its file; `commands` is what `analytics commands -o json` prints. */
export function manPages({ commands: [program, ...commands], tree, exits, variables, exampleLines, version, date }) {
  const release = { version, date }
  const groups = Object.entries(tree).filter(([, node]) => typeof node !== 'function')
  const laidOut = commands.map(command => ({
    ...command,
    examples: command.examples.flatMap(line => exampleLines(line, 68)).flatMap(lines => lines.split('\n')),
  }))
  const alone = laidOut.filter(({ words }) => !words.includes(' '))
  const pages = {
    'analytics.1': mainPage({
      groups,
      alone,
      everywhere: program.options,
      exits,
      variables,
      release,
    }),
  }
  for (const [word, { summary }] of groups) {
    const own = laidOut.filter(({ words }) => words.startsWith(`${word} `))
    pages[`analytics-${word}.1`] = groupPage(word, summary, own, release)
  }
  return pages
}

function mainPage({ groups, alone, everywhere, exits, variables, release }) {
  return page('analytics', 'administer an analytics service', release, [
    ...section('SYNOPSIS', ['.B analytics', `.I group command\n[options]`]),
    ...section('DESCRIPTION', [
      text(
        'Finds, reads, changes and deletes persons, plugins, event definitions and projects of an analytics service: at a terminal, in scripts, and in CI jobs.',
      ),
      '.PP',
      text(
        'stdout carries data only; messages go to stderr. With --sandbox everything works on made-up data on this machine, without an account.',
      ),
    ]),
    ...section('COMMANDS', [
      ...groups.flatMap(([word, { summary }]) => ['.TP', `.BR ${code(`analytics-${word}`)} (1)`, text(summary)]),
      ...alone.flatMap(commandPart),
    ]),
    ...section('OPTIONS', [
      text('These stand anywhere on the command line.'),
      ...everywhere.flatMap(optionPart),
      ...['-h, --help', '-V, --version'].flatMap(term => [
        '.TP',
        `.B ${code(term)}`,
        text(term.includes('help') ? 'help on the command' : 'the version'),
      ]),
    ]),
    ...section(
      'EXIT STATUS',
      exits.flatMap(({ code, name, when, again }) => [
        '.TP',
        `.B ${code}`,
        text(`${name}: ${when}${again ? ` (same command again: ${again})` : ''}`),
      ]),
    ),
    ...section(
      'ENVIRONMENT',
      variables.flatMap(({ name, summary }) => ['.TP', `.B ${code(name)}`, text(summary)]),
    ),
    ...section('FILES', [
      ...['.TP', `.I ${code('~/.config/analytics/config.json')}`, text('profiles')],
      ...['.TP', `.I ${code('~/.local/state/analytics/')}`, text('jobs, the sandbox, and names kept for completion')],
    ]),
    ...section('SEE ALSO', [groups.map(([word]) => `.BR ${code(`analytics-${word}`)} (1)`).join(' ,\n')]),
  ])
}

function groupPage(word, summary, commands, release) {
  return page(`analytics-${word}`, lowerFirst(summary), release, [
    ...section('SYNOPSIS', commands.flatMap(command => [`.B ${code(usage(command))}`, '.br']).slice(0, -1)),
    ...section('COMMANDS', commands.flatMap(commandPart)),
    ...section('SEE ALSO', [
      '.BR analytics (1)',
      text('has the options of every command, the exit codes and the environment.'),
    ]),
  ])
}

function commandPart(command) {
  const { words, summary, details, arguments: args, options, examples } = command
  return [
    `.SS ${code(words)}`,
    `.B ${code(usage(command))}`,
    '.PP',
    text(details ? `${summary}. ${details}` : `${summary}.`),
    ...args.flatMap(({ name, summary }) => ['.TP', `.I ${code(name)}`, text(summary)]),
    ...options.flatMap(optionPart),
    ...(examples.length > 0
      ? ['.PP', 'Examples:', '.RS 4', '.nf', ...examples.map(line => escaped(code(line))), '.fi', '.RE']
      : []),
  ]
}

function optionPart({ name, short, value, choices, negatable, repeatable, summary }) {
  const long = negatable ? `--[no-]${name.slice(2)}` : name
  const names = [short, long]
    .filter(Boolean)
    .map(one => `\\fB${code(one)}\\fR`)
    .join(', ')
  const listed = choices && !choices.every(choice => summary.includes(choice)) ? [choices.join(', ')] : []
  return [
    '.TP',
    value ? `${names} \\fI${code(value)}\\fR` : names,
    text([summary, ...listed, ...(repeatable ? ['repeatable'] : [])].filter(Boolean).join('; ')),
  ]
}

function usage({ words, arguments: args }) {
  const named = args.map(({ name, form }) =>
    form === 'required' ? name : form === 'many' ? `[${name}...]` : `[${name}]`,
  )
  return ['analytics', words, ...named, '[options]'].join(' ')
}

function page(name, summary, { version, date }, parts) {
  return `${[`.TH ${code(name).toUpperCase()} 1 "${date}" "analytics ${version}"`, '.SH NAME', `${code(name)} \\- ${code(summary)}`, ...parts].join('\n')}\n`
}

function section(title, lines) {
  return [`.SH ${title}`, ...lines]
}

/** A paragraph in one line; groff breaks it. */
function text(words) {
  return escaped(code(words.replace(/\s+/g, ' ')))
}

/** As it is typed: groff would print other characters for these, which a shell does not take. */
function code(text) {
  return text
    .replaceAll('\\', '\\(rs')
    .replace(/[-'`^~]/g, char => ({ '-': '\\-', "'": '\\(aq', '`': '\\(ga', '^': '\\(ha', '~': '\\(ti' })[char])
}

/** A line that begins with a full stop would be a request. */
function escaped(line) {
  return line.replace(/^([.'])/, '\\&$1')
}

function lowerFirst(text) {
  return text.charAt(0).toLowerCase() + text.slice(1)
}
