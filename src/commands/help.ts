import { commonOptions, defineCommand, flagsOf, manyArguments, type OptionSpecs } from '../cli/command.ts'
import { examplesIn, helpOn, paragraph, section, topicNames } from '../cli/help.ts'
import { foreignAliases } from '../cli/usage.ts'
import { settingRows } from '../config/settings.ts'
import { exits, UsageError } from '../errors.ts'
import { nearest } from '../text/nearest.ts'
import { quoteText } from '../values/kinds.ts'
import { agentsPage } from './agents.ts'
import { bulkOptions, nameTargets, personTargets, rowTargets } from './writing/bulk-options.ts'

type Rows = Parameters<typeof section>[1]

const { expect, max } = bulkOptions

const foreignVariables: Rows = [
  ['FORCE_COLOR', 'color even without a terminal; NO_COLOR overrides it'],
  ['CI', 'set by CI services: never prompt'],
  ['HTTP_PROXY, HTTPS_PROXY', 'proxy for http:// and https:// servers; never for a loopback address'],
  ['NO_PROXY', 'hosts to reach without a proxy'],
  ['NODE_EXTRA_CA_CERTS', 'PEM file of more certificate authorities to trust'],
  ['XDG_CONFIG_HOME', 'parent of the folder of config.json (~/.config)'],
  ['XDG_STATE_HOME', 'parent of the folder of jobs and the sandbox (~/.local/state)'],
  ['XDG_CACHE_HOME', "parent of the folder of Node's compile cache (~/.cache)"],
  ['NODE_COMPILE_CACHE', 'another folder for the compile cache'],
  ['NODE_DISABLE_COMPILE_CACHE', 'set to 1 to switch the compile cache off'],
]

export const variables: Rows = [
  ...settingRows.flatMap(([, { variable, summary }]): Rows => (variable ? [[variable, summary]] : [])),
  ...foreignVariables,
]

function optionRows(specs: OptionSpecs, section = 'Options'): Rows {
  return Object.entries(specs).flatMap(([name, spec]): Rows => {
    return spec.section === section ? [[flagsOf(name, spec), spec.summary]] : []
  })
}

const filterRows: Rows = [
  ["plan=pro, 'plan!=pro'", 'equal; not equal, or not set'],
  ["name~ada, 'name!~ada'", 'contains, ignoring case; does not contain, or not set'],
  ["'age>30', 'age<=30'", 'compare numbers; also < and >='],
  ["'last_seen_at<-90d'", 'compare dates: 2026-01-31, or -90d, -12h, -6w before now'],
  ["created_by, '!created_by'", 'set; not set'],
]

const topics: Readonly<Record<Exclude<(typeof topicNames)[number], 'agents'>, readonly string[]>> = {
  options: [
    section('Options of every command', optionRows(commonOptions)),
    'Options can come before or after the words of the command. An option with ... can be repeated.',
  ],
  targets: [
    examplesIn([
      'persons delete 3 4 # By id',
      'persons delete --from ids.txt # Ids from a file',
      "persons delete --where 'last_seen_at<-90d' # By a filter",
    ]),
    'These commands take targets: persons delete, update, update-property and delete-property, event-definitions update and delete, plugins delete. Targets come from exactly one source. All of them are found before the first one is changed.',
    section('Sources', [
      ['ID...', 'ids as arguments'],
      ...optionRows({ ...bulkOptions, ...rowTargets, ...personTargets, ...nameTargets }, 'Targets'),
    ]),
    section('Guards', optionRows({ expect, max }, 'Run')),
    "With --yes, a delete or delete-property by filters needs --max N or --expect N. A delete with --all needs --expect N. Filters that are all negations ('plan!=pro') or bare keys (plan) need it too, since a typing error in one matches everyone. With --yes, an update by such filters needs --max N or --expect N.",
  ],
  filters: [
    examplesIn([
      'persons list --where properties.plan=pro # A property',
      "persons list --property 'age>30' # The same, shorter",
      "event-definitions list --where 'last_seen_at<-90d' # A date",
    ]),
    section('--where FILTER', filterRows),
    'The first part of a key is a field of the record; a dot reaches into it: properties.plan. Give --where several times to combine filters: all must match. If a field holds a list, one matching item is enough; use ~ for a property that holds a list, since some servers compare the whole list with =. analytics checks every row again.',
    'Quote filters that hold <, >, ! or *. Without quotes a shell turns age>30 into the filter age, which matches every record where age is set, and a file 30.',
  ],
  'exit-codes': [
    section(
      'Exit codes, and whether to retry the same command',
      exits.map(({ code, name, when, retry }) => [`${code} ${name}`, retry ? `${when}; retry: ${retry}` : when]),
    ),
    'With -o json or ndjson the last line of stderr is the error as one JSON object.',
  ],
  environment: [
    section('Variables', variables),
    'An option overrides a variable, a variable the profile, and the profile the default. analytics profiles show prints where each value comes from.',
  ],
}

export default defineCommand({
  summary: 'Show help for a command or a topic',
  details: `Topics: ${topicNames.join(', ')}.`,
  args: { words: manyArguments('WORD', 'a topic, or the words of a command') },
  examples: ['help filters # A topic', 'help persons list # A command'],
  async run({ words }) {
    const { tree } = await import('./tree.ts')
    const [first = ''] = words
    const topic = topicNames.find(name => words.length === 1 && name === first)
    if (topic === 'agents') return { data: { text: agentsPage } }
    if (topic !== undefined) return { data: { text: `${topics[topic].map(paragraph).join('\n\n')}\n` } }
    const option = foreignAliases.get(`--${first}`)
    const suggestion = nearest(first, topicNames)
    const isCommand = words.length === 0 || Object.hasOwn(tree, first) || foreignAliases.has(first)
    if (!isCommand && (option || suggestion)) {
      throw new UsageError(`Unknown help topic ${quoteText(first)}`, {
        hint: option ? `Use ${option}` : `Did you mean analytics help ${suggestion}?`,
      })
    }
    // Throws the usage error of an unknown word, with its suggestion.
    return { data: { text: await helpOn(words, tree) } }
  },
})
