/** `analytics help`: the help of a command, or a page on a topic from the tables of the code. */
import { manyArguments } from '../cli/arguments.ts'
import { defineCommand } from '../cli/command.ts'
import { helpOn, paragraph, section } from '../cli/help.ts'
import { everywhere, flagsOf, type OptionSpecs } from '../cli/options.ts'
import { settingRows } from '../config/settings.ts'
import { exits, UsageError } from '../errors.ts'
import { nearest } from '../text/nearest.ts'
import { quoteText } from '../values/kinds.ts'
import { bulkOptions, nameTargets, personTargets, rowTargets } from './writing/bulk-options.ts'

type Rows = Parameters<typeof section>[1]

const foreign: Rows = [
  ['FORCE_COLOR', 'colour even without a terminal; NO_COLOR is stronger'],
  ['CI', 'set by CI services: nothing is asked'],
  ['HTTP_PROXY, HTTPS_PROXY', 'proxy for http:// and https:// addresses'],
  ['NO_PROXY', 'hosts that are reached without a proxy'],
  ['NODE_EXTRA_CA_CERTS', 'file of certificate authorities to trust as well'],
  ['XDG_CONFIG_HOME', 'parent of the folder of config.json (~/.config)'],
  ['XDG_STATE_HOME', 'parent of the folder of jobs and the sandbox (~/.local/state)'],
]

export const variables: Rows = [
  ...settingRows.flatMap(([, { variable, summary }]): Rows => (variable ? [[variable, summary]] : [])),
  ...foreign,
]

function rowsOf(specs: OptionSpecs, ...sections: readonly string[]): Rows {
  return Object.entries(specs)
    .filter(([, { section }]) => sections.includes(section))
    .map(([name, spec]) => [flagsOf(name, spec), spec.summary])
}

export const topics: Readonly<Record<string, readonly string[]>> = {
  options: [
    section('Options of every command', rowsOf(everywhere, 'Options')),
    'They stand before or after the words of the command.',
  ],
  targets: [
    'The objects that persons delete, update, update-property and delete-property, event-definitions update and delete, and plugins delete change come from exactly one source. All are found before the first is changed.',
    section('Sources', [
      ['ID...', 'ids as arguments'],
      ...rowsOf({ ...bulkOptions, ...rowTargets, ...personTargets, ...nameTargets }, 'Targets', 'Options'),
    ]),
    section('Lists of persons', rowsOf(personTargets, 'Lists')),
    section('Guards', rowsOf(bulkOptions, 'Guards')),
    "With --yes, a delete or delete-property by filters needs --max N or --expect N. A delete with --all needs --expect N. So does a delete or delete-property whose filters are all negations ('plan!=pro', '!plan') or bare keys (plan): after a typing error they match everyone. With --yes, an update by such filters needs --expect N or --max N.",
  ],
  filters: [
    section('--where FILTER', [
      ["plan=pro, 'plan!=pro'", 'the value is pro; it is not pro, or not set'],
      ["name~ada, 'name!~ada'", 'the value contains ada, in upper or lower case; it does not, or is not set'],
      ["'age>30', 'age<=30'", 'numbers with numbers; also < and >='],
      ["'last_seen_at<-90d'", 'dates with dates: 2026-01-31, or -90d, -12h, -6w before now'],
      ["created_by, '!created_by'", 'is set; is not set'],
    ]),
    'The first part is a field of the record, with dots for what is inside: properties.plan=trial. --property plan=trial is short for that. Given several times, all must hold. Of a list one item that matches is enough; for a property of persons that holds a list use ~, since some servers compare the whole list with =. Every row is checked on this machine. Put quotes around a filter with < > ! or *: a shell turns age>60 into age.',
  ],
  'exit-codes': [
    section(
      'Exit codes, and whether the same command may be sent again',
      exits.map(({ code, name, when, again }) => [`${code} ${name}`, again ? `${when}; again: ${again}` : when]),
    ),
    'With -o json or ndjson an error is one JSON object, the last line of stderr.',
  ],
  environment: [
    section('Variables', variables),
    'An option is stronger than a variable, a variable than the profile, and the profile than the default. analytics profiles show says where each value comes from.',
  ],
}

function topicPage(topic: string): string | undefined {
  if (!Object.hasOwn(topics, topic)) return undefined
  return `${topics[topic]?.map(paragraph).join('\n\n')}\n`
}

export default defineCommand({
  summary: 'Help on a command or a topic',
  details: `The topics are ${Object.keys(topics).join(', ')}.`,
  args: { words: manyArguments('WORD', 'a topic, or the words of a command') },
  options: {},
  examples: ['help filters # A topic', 'help persons list # A command'],
  async run({ words }) {
    const { tree } = await import('./tree.ts')
    const [first = ''] = words
    const page = words.length === 1 ? topicPage(first) : undefined
    if (page !== undefined) return { data: { text: page } }
    if (words.length === 0 || Object.hasOwn(tree, first)) return { data: { text: await helpOn(words, tree) } }
    const near = nearest(first, [...Object.keys(topics), ...Object.keys(tree)])
    throw new UsageError(`There is no help on ${quoteText(first)}`, {
      hint: near ? `Did you mean analytics help ${near}?` : `Topics: ${Object.keys(topics).join(', ')}`,
    })
  },
})
