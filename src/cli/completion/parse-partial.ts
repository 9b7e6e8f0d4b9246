/** What stands before the cursor, read leniently: a line that is still being typed is wrong in every way. */
import { type Setting, type SettingName, settingRows } from '../../profiles/settings.ts'
import { boolean, type Kind } from '../../values/kinds.ts'
import type { Command } from '../command.ts'
import { optionName } from '../options.ts'
import type { Tree } from '../tree.ts'

/** An option as it can be typed. */
export interface Known {
  readonly name: string
  readonly short?: string | undefined
  /** How help calls its value; undefined for a switch. */
  readonly value?: string | undefined
  readonly kind: Kind<unknown>
  readonly repeatable: boolean
  readonly summary: string
  readonly setting?: SettingName
}

export interface PartialCommand {
  /** The words of the tree that were found. */
  readonly words: readonly string[]
  /** The command that they name; undefined while they name none. */
  readonly command: Command | undefined
  readonly options: readonly Known[]
  /** The options typed so far, each with its values; a switch has none. */
  readonly given: ReadonlyMap<Known, readonly string[]>
  readonly args: readonly string[]
  /** The option whose value stands at the cursor. */
  readonly awaiting: Known | undefined
  /** Behind `--` there are arguments only. */
  readonly closed: boolean
}

/** Reads the words before the cursor; undefined where they cannot become a command line any more. */
export async function parsePartial(before: readonly string[], tree: Tree): Promise<PartialCommand | undefined> {
  const words: string[] = []
  const args: string[] = []
  const given = new Map<Known, string[]>()
  let options = settingOptions
  let command: Command | undefined
  let awaiting: Known | undefined
  let closed = false
  for (const word of before) {
    if (awaiting) {
      given.get(awaiting)?.push(word)
      awaiting = undefined
    } else if (closed) args.push(word)
    else if (word === '--') closed = true
    else if (word.startsWith('-') && word !== '-') {
      const [name = '', value] = halves(word)
      const option = options.find(one => one.name === name || one.short === name)
      if (!option) continue
      given.set(option, [...(given.get(option) ?? []), ...(value === undefined ? [] : [value])])
      if (option.value !== undefined && value === undefined) awaiting = option
    } else if (command) args.push(word)
    else {
      const node = nodesAt(words, tree)[word]
      if (!node) return undefined
      words.push(word)
      if (typeof node !== 'function') continue
      command = await node()
      options = [...ownOptions(command), ...settingOptions]
    }
  }
  return { words, command, options, given, args, awaiting, closed }
}

/** What may follow these words of the tree. */
export function nodesAt([word]: readonly string[], tree: Tree): Tree {
  const node = word === undefined ? undefined : tree[word]
  return typeof node === 'object' ? node.commands : tree
}

/** `--output=json` in its two halves; any other word whole. */
export function halves(word: string): readonly [string, string?] {
  const at = word.startsWith('--') ? word.indexOf('=') : -1
  return at < 0 ? [word] : [word.slice(0, at), word.slice(at + 1)]
}

const settingOptions: readonly Known[] = settingRows.flatMap(([setting, row]: readonly [SettingName, Setting]) => {
  const { option, short, value, kind, summary } = row
  return option ? [{ name: option, short, value, kind, repeatable: false, summary, setting }] : []
})

const help: Known = { name: '--help', short: '-h', kind: boolean, repeatable: false, summary: 'show the help' }

function ownOptions(command: Command): readonly Known[] {
  const own = Object.entries(command.options).flatMap(([key, { form, short, value, kind, summary }]): Known[] => {
    const name = optionName(key)
    if (form === 'switch') return [{ name, short, kind, repeatable: false, summary }]
    if (form !== 'toggle') return [{ name, short, value, kind, repeatable: form === 'repeated', summary }]
    const opposite: Known = { name: `--no-${name.slice(2)}`, kind, repeatable: false, summary: 'the opposite' }
    return [{ name, kind, repeatable: false, summary }, opposite]
  })
  return [...own, help]
}
