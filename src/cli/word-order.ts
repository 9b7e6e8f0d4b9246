/** Options may come before the words of the command, but commander needs the words first. */
import { aliases, type Tree } from './command.ts'
import { type OptionSpecs, optionName } from './options.ts'

/** Name of an option, and whether it takes a value. */
type Names = ReadonlyMap<string, boolean>

/** Moves the words of the command to the front if an option of a command comes before them. */
export async function wordsFirst(argv: readonly string[], everywhere: OptionSpecs, tree: Tree) {
  const names = namesOf(everywhere)
  if (!findWords(argv, tree, names).isOptionUnknown) return argv
  const { at } = findWords(argv, tree, new Map([...names, ...(await namesOfCommands(tree))]))
  return [...at.flatMap(i => argv[i] ?? []), ...argv.filter((_, i) => !at.includes(i))]
}

function findWords(argv: readonly string[], tree: Tree, names: Names) {
  const at: number[] = []
  let below = tree
  let isOptionUnknown = false
  for (let i = 0; i < argv.length && argv[i] !== '--'; i++) {
    const typed = argv[i] ?? ''
    if (typed.startsWith('-')) {
      const name = typed.startsWith('--') ? typed.replace(/=.*/s, '') : typed.slice(0, 2)
      if (!names.has(name)) isOptionUnknown = true
      if (typed === name && names.get(name)) i++
      continue
    }
    const word = Object.keys(below).find(one => one === typed || (at.length > 0 && aliases[one] === typed))
    if (word === undefined) break
    at.push(i)
    const node = below[word]
    if (typeof node !== 'object') break
    below = node.commands
  }
  return { at, isOptionUnknown }
}

async function namesOfCommands(tree: Tree): Promise<readonly (readonly [string, boolean])[]> {
  const loads = Object.values(tree).flatMap(node => (typeof node === 'object' ? Object.values(node.commands) : [node]))
  const commands = await Promise.all(loads.map(load => load()))
  return commands.flatMap(({ options }) => [...namesOf(options)])
}

export function namesOf(specs: OptionSpecs): Names {
  const named = Object.entries(specs).flatMap(([name, { form, short, value }]) => {
    const long = optionName(name)
    const names = [long, ...(short ? [short] : []), ...(form === 'toggle' ? [long.replace('--', '--no-')] : [])]
    return names.map(one => [one, value !== ''] as const)
  })
  return new Map(named)
}
