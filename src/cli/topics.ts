/** What `analytics help TOPIC` tells: short, and from the tables of the code where there are tables. */
import { type Exit, exits } from '../errors.ts'
import type { Format } from '../output/render.ts'
import { type Setting, settingRows } from '../profiles/settings.ts'
import { type Part, type Section, settingLabel } from './page.ts'
import { variables } from './variables.ts'

export interface Topic {
  readonly summary: string
  readonly parts: readonly Part[]
}

const formats: Readonly<Record<Format, string>> = {
  table: 'for people: fits the terminal, and cuts nothing in a pipe',
  json: 'a list is an array, one object an object; with --envelope {count, next, previous, results}',
  ndjson: 'an item a line, as it comes',
  csv: 'RFC 4180 with a header; nested values as JSON',
  yaml: 'for reading, and for settings files',
  ids: 'an id a line, for xargs and --from -',
}

function settingsIn(group: Setting['group']): Section['rows'] {
  return settingRows.flatMap(([, row]: readonly [string, Setting]): [string, string][] =>
    row.option && row.group === group ? [[settingLabel(row), row.summary]] : [],
  )
}

/** What stands behind a yes or no goes to the end: it is too long for a column. */
function exitRow({ code, name, when, again }: Exit): readonly [string, string] {
  const [, short = '', rest = ''] = /^(\w*) ?(.*)$/.exec(again) ?? []
  return [`${String(code).padEnd(4)} ${name.padEnd(12)}  ${short}`, rest ? `${when} ${rest}` : when]
}

export const topics = {
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
    summary: 'the variables that are heeded',
    parts: [
      { title: 'Variables', rows: variables.map(({ name, summary }) => [name, summary]) },
      'An option goes before a variable, a variable before the profile, and the profile before the default; an empty variable is as good as none. analytics profiles show says where each value comes from.',
    ],
  },
  output: {
    summary: 'formats, fields, queries, and what goes where',
    parts: [
      'stdout carries data and nothing else; everything that is said goes to stderr. A table is the default everywhere, so that a script sees what a person saw. Lists stream: the first page is printed before the last one is asked for.',
      { title: 'Formats', rows: Object.entries(formats) },
      { title: 'Options', rows: settingsIn('output') },
      'Numbers, the order of keys and unknown fields come out of json and ndjson as they came in. Project tokens and webhooks are masked in tables unless --reveal is given. Text of the service never acts on a terminal.',
      'A list shows one page of the service, and says on stderr where there is more: --limit N takes so many rows, --all takes every one.',
    ],
  },
  bulk: {
    summary: 'changing many things: targets, guards, jobs',
    parts: [
      'persons delete, update, update-property and delete-property, event-definitions update and delete, plugins delete and projects update take one target or many, and work the same way. All targets are found and frozen before the first is changed.',
      {
        title: 'Targets, from exactly one source',
        rows: [
          ['ID...', 'as arguments'],
          ['--from FILE', 'an id a line, NDJSON with id, or CSV with an id column; - is stdin'],
          ['--distinct-ids-from FILE', 'the persons who have these distinct ids'],
          [
            '--search, --email, --distinct-id, --property',
            'the filters of persons list; what comes is checked against them again',
          ],
          ['--all', 'everything; a delete wants --expect N as well'],
        ],
      },
      {
        title: 'Guards',
        rows: [
          ['-n, --dry-run', 'show what would be sent, and send nothing'],
          ['-y, --yes', 'answer every question; without a terminal and without it, nothing is done (exit code 10)'],
          ['--expect N', 'refuse unless there are exactly N targets'],
          ['--max N', 'refuse if there are more'],
          ['--canary N', 'delete N, see that they are gone, then go on'],
          ['--max-failures N', 'stop after so many failures'],
        ],
      },
      {
        title: 'Records',
        rows: [
          ['--backup FILE', 'save each full record first'],
          ['--receipt FILE', 'write what was done, for the ticket; persons verify checks it later'],
        ],
      },
      'A run of more than one target is a job on this machine. After an interruption, a crash or failures, analytics jobs resume JOB does what is left: nothing that was recorded as done is sent again, and nothing is asked again. The exit code is 8 where a finished run has failures.',
    ],
  },
  settings: {
    summary: 'project settings as code: pull, diff, apply',
    parts: [
      {
        title: 'Commands',
        rows: [
          ['projects pull > settings.yaml', 'every writable field in a fixed order; secrets as comments'],
          ['projects diff -f settings.yaml', 'what would change; exit code 9 where something would'],
          [
            'projects apply -f settings.yaml',
            'the same difference, a question, and one PATCH with the fields that differ',
          ],
          [
            'projects apply --check -f …',
            'for CI: nothing is sent, exit code 9 on drift; --markdown FILE for a summary',
          ],
        ],
      },
      `A field that is not in the file is left alone. A value that is wholly \${NAME} comes from the environment. A field that the service accepted but did not apply is named (exit code 5), and applying twice sends nothing the second time.`,
      'analytics projects diff 1 --against 2 compares two projects.',
    ],
  },
  sandbox: {
    summary: 'a working copy of the service, with no account and no network',
    parts: [
      'With --sandbox or ANALYTICS_SANDBOX=1 every command works on made-up data on this machine. Whatever names a profile, key or base URL is then ignored, and said. The data stays between commands; analytics sandbox reset makes it new.',
      { title: 'Options', rows: settingsIn('sandbox') },
      'The clock is yours: analytics sandbox clock +7d passes the Sunday on which queued events are deleted.',
    ],
  },
} as const satisfies Readonly<Record<string, Topic>>

export type TopicName = keyof typeof topics
