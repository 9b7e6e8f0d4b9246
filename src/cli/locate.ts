/** Finds the command that a command line names, before anything of it is loaded. */
import { UsageError } from '../errors.ts'
import { type Setting, settingRows } from '../profiles/settings.ts'
import { nearest } from '../values/nearest.ts'
import type { Group, Tree } from './tree.ts'

export interface Located {
  /** The words of the tree that were found: none, a group, or a group and its command. */
  readonly words: readonly string[]
  /** Everything else that was typed, in its order. */
  readonly rest: readonly string[]
  readonly help: boolean
  readonly version: boolean
}

/** Only settings may stand before the words of a command; those that take a value hide the word behind them. */
const names = (taking: boolean): ReadonlySet<string> =>
  new Set(
    settingRows.flatMap(([, row]: readonly [string, Setting]) =>
      (row.value !== undefined) === taking ? [row.option, row.short].filter(name => name !== undefined) : [],
    ),
  )
const taking = names(true)
const switches = names(false)

/** Throws `UsageError` for a word that names nothing, with the nearest that does. */
export function locate(argv: readonly string[], tree: Tree): Located {
  const words: string[] = []
  const rest: string[] = []
  let help = false
  let version = false
  let complete = false
  for (let i = 0; i < argv.length; i++) {
    const word = argv[i] ?? ''
    if (word === '--') {
      rest.push(...argv.slice(i))
      break
    }
    if (word === '--help' || word === '-h') help = true
    else if (word === '--version' || word === '-V') version = true
    else if (complete) rest.push(word)
    else if (word.startsWith('-') && word !== '-') {
      if (!isSetting(word)) throw misplaced(word, words)
      rest.push(word)
      if (taking.has(word) && i + 1 < argv.length) rest.push(argv[++i] ?? '')
    } else {
      complete = take(word, words, tree)
    }
  }
  return { words, rest, help, version }
}

/** `--project`, `--project=2`, `-o`, `-ojson` or `-nq`. What it is given is not looked at yet. */
function isSetting(word: string): boolean {
  const name = word.startsWith('--') ? (word.split('=')[0] ?? '') : word.slice(0, 2)
  return taking.has(name) || switches.has(name)
}

/** Whether it hides the word behind it is known to its command alone, which may be that very word. */
function misplaced(word: string, words: readonly string[]): UsageError {
  const name = word.split('=')[0] ?? ''
  const near = nearest(name, [...taking, ...switches])
  return new UsageError(`${name} comes before its command, where only the options of every command can`, {
    hint: near ? `Did you mean ${near}?` : `Put it after the command: ${['analytics', ...words, '…', name].join(' ')}`,
  })
}

/** Adds a word to the path; returns whether the path now names a command. */
function take(word: string, words: string[], tree: Tree): boolean {
  const group = words[0] === undefined ? undefined : (tree[words[0]] as Group)
  const known: Tree = group ? group.commands : tree
  const found = Object.hasOwn(known, word) ? known[word] : undefined
  if (!found) throw unknown(word, words, Object.keys(known), group)
  words.push(word)
  return typeof found === 'function'
}

function unknown(word: string, words: readonly string[], known: readonly string[], group?: Group): UsageError {
  const path = ['analytics', ...words].join(' ')
  const why = group?.absent && Object.hasOwn(group.absent, word) ? group.absent[word] : undefined
  if (why) return new UsageError(`There is no ${path} ${word}: ${why.reason}`, { hint: why.instead })
  const near = nearest(word, known)
  return new UsageError(`${path} has no command ${JSON.stringify(word)}`, {
    hint: near ? `Did you mean ${path} ${near}?` : `See ${path} --help`,
  })
}
