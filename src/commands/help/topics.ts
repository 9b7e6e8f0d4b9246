import { eventDefinition, person, plugin, project, type Resource } from '../../api/resources.ts'
import { optionRow, type Section, type Topic } from '../../cli/help-layout.ts'
import { type OptionSpecs, settingLabel } from '../../cli/options.ts'
import { type Setting, settingGroups } from '../../config/settings.ts'
import { type Exit, exits } from '../../errors.ts'
import type { Format } from '../../values/formats.ts'
import { guards, keptFiles, nameLists, reasonOptions, runLimits } from '../writing/bulk-options.ts'
import { variables } from './variables.ts'

export const resources: Readonly<Record<string, Resource>> = {
  persons: person,
  plugins: plugin,
  'event-definitions': eventDefinition,
  projects: project,
}

const formatSummaries: Readonly<Record<Format, string>> = {
  table: 'for people: fits the terminal, and cuts nothing in a pipe',
  json: 'a list is an array, one object an object',
  ndjson: 'one item per line, as it came',
  csv: 'RFC 4180 with a header; nested values as JSON',
  ids: 'one id per line, for xargs and --from -',
}

function optionsIn(group: keyof typeof settingGroups, title: string): Section {
  const settings: readonly Setting[] = Object.values(settingGroups[group])
  return { title, rows: settings.flatMap(row => (row.option ? [[settingLabel(row), row.summary]] : [])) }
}

function rowsOf(options: OptionSpecs): Section['rows'] {
  return Object.entries(options).map(optionRow)
}

function exitRow({ code, name, when, again }: Exit): readonly [string, string] {
  const [, short = '', rest = ''] = /^(\w*) ?(.*)$/.exec(again) ?? []
  return [`${String(code).padEnd(4)} ${name.padEnd(12)}  ${short}`, rest ? `${when} ${rest}` : when]
}

export const topics = {
  options: {
    summary: 'the options that every command takes',
    parts: [
      optionsIn('target', 'Where to work'),
      optionsIn('output', 'Output'),
      optionsIn('safety', 'Safety'),
      optionsIn('requests', 'Requests'),
      optionsIn('sandbox', 'Sandbox'),
      {
        title: 'General',
        rows: [
          ...optionsIn('general', '').rows,
          ['-h, --help', 'help on the command'],
          ['-V, --version', 'the version'],
        ],
      },
      'They may be anywhere on the command line, also before the command. See also analytics help output and analytics help environment.',
    ],
  },
  'exit-codes': {
    summary: 'what each exit code means, and whether to try again',
    parts: [
      {
        title: 'Exit codes, whether to try again, and when',
        rows: exits.map(exitRow),
      },
      'Where several apply: a signal first; a run that was stopped ends with what stopped it; one that finished with failures ends with 8; an error comes before drift.',
      'An error is one or two lines on stderr: what happened, and what to do. With -o json or ndjson it is one JSON object on the last line of stderr, with name, exit, message, status, code, retryable, retry_after_s and hint among its keys.',
    ],
  },
  environment: {
    summary: 'the variables that analytics reads',
    parts: [
      { title: 'Variables', rows: variables.map(({ name, summary }) => [name, summary]) },
      'An option overrides a variable, a variable overrides the profile, and the profile overrides the default; an empty variable counts as unset. analytics profiles show says where each value comes from.',
    ],
  },
  output: {
    summary: 'formats, fields, stdout and stderr',
    parts: [
      'stdout carries data and nothing else; every message goes to stderr. The default is a table, in a pipe too, unless ANALYTICS_OUTPUT or the profile says otherwise. api prints bodies as they come, and projects pull prints YAML. Lists stream: the first page is printed before the last one is asked for.',
      { title: 'Formats', rows: Object.entries(formatSummaries) },
      optionsIn('output', 'Options'),
      'Numbers, the order of keys and unknown fields come out of json and ndjson as they came in. What is secret by its name (token, secret, password, webhook), and such parts of URLs, are masked in tables and diffs unless --reveal is given. Control characters in what the service sends never act on a terminal.',
      'A list shows one page of the service, and says on stderr when there is more: --limit N asks for N rows, --all for every one.',
    ],
  },
  fields: {
    summary: 'the documented fields of each resource',
    parts: [
      {
        title: 'Lists of fields',
        rows: Object.keys(resources).map(word => [`analytics help fields ${word}`, '']),
      },
      'A command with --fields and no value behind it lists its own. Properties are reached with a dot: properties.email. Fields that the service does not document are shown with -o json.',
    ],
  },
  filters: {
    summary: 'choosing rows and targets by their fields',
    parts: [
      {
        title: '--where of any field, --property of a property of persons',
        rows: [
          ['plan=pro', 'the value is pro; of a list, one item is enough'],
          ['plan!=pro', 'the value is not pro, or is not set'],
          ['name~ada, name!~ada', 'the value contains ada, in upper or lower case; does not, or is not set'],
          ['age>30, age<=30', 'a number compares numbers; also < and >='],
          ['last_seen_at<-90d', 'a date compares dates: 2026-01-31, or -90d, -12h, -6w, -1y before now'],
          ['created_by', 'is set'],
          ['!created_by', 'is not set'],
        ],
      },
      '--where takes any field of the record, with dots for those inside (properties.plan=trial), and is checked on this machine: on every list, and wherever targets are chosen. --property is sent to the service and checked again here. Given several times, all must hold. Quote < and > for the shell.',
      'Numbers are equal by value: 1 and 1.0. Values of unlike kinds never match: a number is no date, and an empty text is neither. Null is not set. A negation of a name that nobody has is refused before a change where somebody has nearly that name. A value may not be empty, as from a variable that is not set. Write no blanks around an operator: plan=pro.',
    ],
  },
  bulk: {
    summary: 'changing many things: targets, guards, jobs',
    parts: [
      'persons delete, update, update-property and delete-property, event-definitions update and delete, plugins delete and projects update take one target or many, and work the same way. The whole set of targets is found and frozen before the first is changed.',
      {
        title: 'Targets, from exactly one source',
        rows: [
          ['ID...', 'as arguments'],
          ['--from FILE', 'one id per line, NDJSON with id, or CSV with an id column; - is stdin'],
          ['--distinct-ids-from FILE', 'persons: those with the distinct ids in a file'],
          ['--emails-from FILE', 'persons: those with the e-mails in a file; each line is accounted for'],
          [
            '--search, --email, --distinct-id, --property',
            'persons: the filters of persons list; every match is checked again here',
          ],
          ['--where FILTER', 'by any field, such as last_seen_at<-90d; see analytics help filters'],
          ['--by-name NAME', 'event definitions: the one with exactly this name; may be repeated'],
          [
            '--rows FILE',
            'updates: an id (persons: or email, distinct_id) a row, with its own values, as NDJSON or CSV',
          ],
          ['--all', 'all that the service lists; a delete also needs --expect N'],
        ],
      },
      { title: 'Lists of persons', rows: rowsOf(nameLists) },
      {
        title: 'Guards',
        rows: [
          ['-n, --dry-run', 'show what would be sent, and send nothing'],
          [
            '-y, --yes',
            'answer every question with yes; a delete by a filter needs --max or --expect with it, a delete with --all needs --expect; without it and without a terminal nothing is done (exit code 10)',
          ],
          ...rowsOf(guards),
        ],
      },
      {
        title: 'Run',
        rows: [
          ...rowsOf(runLimits),
          ['--batch N', 'persons delete: N persons a request, by UUID, on newer servers'],
          ['--rate N/s|m|h', 'never more than this many requests'],
        ],
      },
      { title: 'Records', rows: [...rowsOf(keptFiles), ...rowsOf(reasonOptions)] },
      'Every run that changes objects is a job on this machine, also of one target. After an interruption, a crash or failures, analytics jobs resume JOB does what is left: what was recorded as done is not sent again, and no question is asked again. A finished run with failures exits with 8.',
    ],
  },
  sandbox: {
    summary: 'a working copy of the service, with no account and no network',
    parts: [
      'With --sandbox or ANALYTICS_SANDBOX=1 every command works on made-up data on this machine. Options and variables that name a profile, key or base URL are ignored, and stderr says which. The data stays between commands; analytics sandbox reset starts afresh.',
      'ANALYTICS_SANDBOX=observed shows what real servers do differently where a script must know it. For a script with curl in it there is analytics sandbox serve, which also fails on request: --faults.',
    ],
  },
} as const satisfies Readonly<Record<string, Topic>>
