import { defineCommand } from '../cli/command.ts'
import { manyArguments } from '../cli/options.ts'
import { exits, UsageError } from '../errors.ts'
import { type Setting, settingRows } from '../profiles/settings.ts'
import { nearest } from '../values/nearest.ts'

/** `analytics help TOPIC`; `help` with the words of a command is the same as its `--help`, and is answered before this. */
export const topics: Readonly<Record<string, () => string>> = {
  'exit-codes': () =>
    [
      exitRow('code', 'name', 'same command again', 'when'),
      ...exits.map(({ code, name, when, again }) => exitRow(String(code), name, again, when)),
    ].join(''),
  environment: () => `${variables()
    .map(([name, summary]) => row([[name, 26]], summary))
    .join('')}
An option goes before a variable, a variable before the profile, and the profile before the default.
`,
}

function exitRow(code: string, name: string, again: string, when: string): string {
  return row(
    [
      [code, 6],
      [name, 14],
      [again, 29],
    ],
    when,
  )
}

/** Those that are not settings of ours, but are heeded. */
const foreign = [
  ['FORCE_COLOR', 'colour even where no terminal reads; 0: none'],
  ['HTTP_PROXY, HTTPS_PROXY', 'the proxy to go through'],
  ['NO_PROXY', 'hosts that are reached without it'],
  ['NODE_EXTRA_CA_CERTS', 'file of certificates to trust beside the usual ones'],
] as const

function variables(): (readonly [string, string])[] {
  const own = settingRows.flatMap(([, { variable, summary }]: readonly [string, Setting]) =>
    variable === undefined ? [] : [[variable, summary] as const],
  )
  return [...own, ...foreign]
}

/** Cells of fixed widths, then text that may be as long as it is. */
function row(cells: readonly (readonly [text: string, width: number])[], rest: string): string {
  return `${cells.map(([text, width]) => text.padEnd(width)).join('')}${rest}\n`
}

export default defineCommand({
  summary: `Help on a command or a topic: ${Object.keys(topics).join(', ')}`,
  calls: [],
  args: { topic: manyArguments('TOPIC', 'a topic, or the words of a command') },
  options: {},
  examples: ['help exit-codes', 'help environment', 'help persons list'],
  async run({ topic: [topic = ''] }) {
    const text = Object.hasOwn(topics, topic) ? topics[topic] : undefined
    if (text) return { text: text() }
    const near = nearest(topic, Object.keys(topics))
    throw new UsageError(`There is no help on ${JSON.stringify(topic)}`, {
      hint: near ? `Did you mean analytics help ${near}?` : `Topics: ${Object.keys(topics).join(', ')}`,
    })
  },
})
