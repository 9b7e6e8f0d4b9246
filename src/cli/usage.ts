/** The messages repeat no value, since it may be secret or personal. */
import type { CommanderError, Command as Parser } from 'commander'
import { UsageError } from '../errors.ts'
import { quoteText } from '../values/kinds.ts'
import { isOptionNamed, type Tree } from './command.ts'
import { commandWords, optionsAt } from './program.ts'

/** Commands and options of other tools, and ours. A key that begins with a group applies only to that group. */
export const foreignAliases: ReadonlyMap<string, string> = new Map(
  Object.entries({
    login: 'profiles add NAME',
    auth: 'profiles add NAME',
    configure: 'profiles add NAME',
    logout: 'profiles remove NAME',
    whoami: 'profiles show',
    config: 'profiles list',
    status: 'doctor',
    version: '--version',
    users: 'persons',
    people: 'persons',
    events: 'event-definitions',
    teams: 'projects',
    curl: 'api METHOD PATH',
    diff: 'projects diff -f FILE',
    apply: 'projects apply -f FILE',
    resume: 'jobs resume JOB',
    undo: 'jobs undo JOB',
    rollback: 'jobs undo JOB',
    restore: 'jobs undo JOB',

    search: 'list TEXT',
    find: 'list TEXT',
    describe: 'get ID',
    view: 'get ID',
    destroy: 'delete',
    remove: 'delete',
    add: 'create',
    new: 'create',
    install: 'create',
    get: 'show',
    edit: 'update',
    set: 'update',
    history: 'activity',
    logs: 'activity',
    export: 'list --all -o csv',
    import: 'update --rows FILE',
    'projects export': 'pull',
    'projects plan': 'diff -f FILE',
    'projects use': '--project ID',
    'profiles create': 'add NAME',
    'profiles edit': 'set NAME',
    'profiles update': 'set NAME',
    'profiles delete': 'remove NAME',
    'profiles switch': 'use NAME',
    'profiles mv': 'rename OLD NEW',

    'jobs delete': 'remove JOB',
    'jobs rollback': 'undo JOB',

    '--json': '-o json',
    '--csv': '-o csv',
    '--format': '-o FORMAT',
    '--filter': '--where FILTER',
    '-l': '--limit N',
    '--max-items': '--limit N',
    '--columns': '--fields A,B',
    '--select': '--fields A,B',
    '--page': '--offset N',
    '--id': '--from FILE, or ids as arguments',
    '--ids': '--from FILE, or ids as arguments',
    '--emails': '--emails-from FILE',
    '--name': '--by-name NAME',
    '--file': '--from FILE',
    '-f': '--from FILE',
    '--force': '--yes',
    '--auto-approve': '--yes',
    '--confirm': '--yes',
    '--non-interactive': '--no-input',
    '--what-if': '--dry-run',
    '--verbose': '--debug',
    '-v': '--debug',
    '--silent': '--quiet',
    '--url': '--base-url URL',
    '--host': '--base-url URL',
    'plugins --url': '--set url=URL',
    'persons --key': '--param key=NAME',
    '--org': '--organization ID',
    '--context': '--profile NAME',
    '--parallel': '--concurrency N',
    '--data': '--body JSON',
  }),
)

const keyHint = 'Set ANALYTICS_API_KEY or use analytics profiles add NAME, since other users can read a command line'

/** What analytics does not have, and a hint. */
const notOffered: ReadonlyMap<string, string> = new Map(
  Object.entries({
    '--api-key': keyHint,
    '--token': keyHint,
    '--password': keyHint,
    'persons create': 'Identify calls of a client library create persons',
    'event-definitions create':
      'The service creates one from the first event; on newer servers analytics api POST may work',
    '--canary': 'Pipe the first ids to it (head -5 ids.txt), run persons verify --last, then the rest (tail -n +6)',
    '--max-duration': 'Use timeout --preserve-status -s INT 5h analytics …, and later analytics jobs resume --last',
    '--query': 'Use -o json and pipe it to jq',
    '--jq': 'Use -o json and pipe it to jq',
    '--server-format': 'Use analytics api GET PATH --param format=csv',
    '--previous': 'Save the settings first: analytics projects pull > before.yaml',
    '--against': 'Use diff <(analytics projects pull 1) <(analytics projects pull 2)',
    '--env': "Use envsubst '$NAME' < settings.yaml | analytics projects apply -f - --yes",
  }),
)

/** Prefers the table of other tools' words to commander's suggestion. */
export function usageErrorOf({ code, message }: CommanderError, parser: Parser, tree: Tree): UsageError {
  const [problem = '', near] = message.replace(/^error: /, '').split('\n')
  const path = ['analytics', ...commandWords(parser)].join(' ')
  const hint = near?.slice(1, -1) ?? `See ${path} --help`
  if (code === 'commander.unknownOption') return unknownOption(problem, hint, parser)
  if (code === 'commander.unknownCommand') return unknownWord(path, hint, parser, tree)
  if (code === 'commander.optionMissingArgument') {
    const [, name = ''] = /(--[\w-]+)/.exec(problem) ?? []
    return new UsageError(`${name} needs a value`, { hint: 'Is a shell variable empty?' })
  }
  const [, argument, choices] = /argument '(.*)'\. Allowed choices are (.*)\.$/s.exec(problem) ?? []
  if (argument !== undefined) return new UsageError(`${argument} must be one of ${choices}`)
  const quotes = code === 'commander.excessArguments' ? 'Put quotes around a value with spaces. ' : ''
  return new UsageError(`${problem.charAt(0).toUpperCase()}${problem.slice(1)}`, {
    hint: `${quotes}Usage: ${path} ${parser.usage()}`,
  })
}

function unknownOption(problem: string, hint: string, parser: Parser): UsageError {
  // Without the value, as in '--api-key=…' and '-p…'.
  const [, name = ''] = /'(--[^=']*|-.)/.exec(problem) ?? []
  if (optionsAt(parser).some(option => isOptionNamed(option, name))) {
    return new UsageError(`${name} takes no value`, { hint: `Use ${name} without a value` })
  }
  return new UsageError(`Unknown option ${name}`, { hint: notOffered.get(name) ?? equivalentOf(name, parser) ?? hint })
}

function unknownWord(path: string, hint: string, parser: Parser, tree: Tree): UsageError {
  const [word = '', ...others] = parser.args
  const [noun = others.find(one => Object.hasOwn(tree, one)) ?? ''] = commandWords(parser)
  const instead = notOffered.get(`${noun} ${word}`)
  if (instead !== undefined) return new UsageError(`Unknown command ${noun} ${word}`, { hint: instead })
  const group = tree[noun]
  const isVerb = typeof group === 'object' && Object.hasOwn(group.commands, word)
  return new UsageError(`Unknown command ${quoteText(word)} for ${path}`, {
    hint: isVerb ? `Use analytics ${noun} ${word}` : (equivalentOf(word, parser) ?? hint),
  })
}

function equivalentOf(word: string, parser: Parser): string | undefined {
  const path = commandWords(parser)
  const isAvailable = (first = '') =>
    optionsAt(parser).some(option => isOptionNamed(option, first)) || parser.commands.some(one => one.name() === first)
  const rows = [foreignAliases.get(`${path[0]} ${word}`), foreignAliases.get(word)]
  const equivalent = rows.find(row => isAvailable(row?.split(/[ ,]/)[0]))
  return equivalent && `Use ${equivalent.startsWith('-') ? equivalent : ['analytics', ...path, equivalent].join(' ')}`
}
