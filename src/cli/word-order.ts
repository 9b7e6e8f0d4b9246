/** Options may come before the words of the command, but commander needs the words first. */
import type { Option, Command as Parser } from 'commander'
import { aliases, type Tree } from './command.ts'
import { declareOptions, isOptionNamed } from './options.ts'

/** Moves the words of the command to the front if an option of a command comes before them. */
export async function wordsFirst(argv: readonly string[], program: Parser, tree: Tree): Promise<readonly string[]> {
  if (!findWords(argv, tree, program.options).isOptionUnknown) return argv
  const loads = Object.values(tree).flatMap(node => (typeof node === 'object' ? Object.values(node.commands) : [node]))
  const commands = await Promise.all(loads.map(load => load()))
  const parsers = commands.map(({ options }) => declareOptions(program.createCommand(), options))
  const { at } = findWords(
    argv,
    tree,
    [program, ...parsers].flatMap(parser => parser.options),
  )
  return [...at.flatMap(i => argv[i] ?? []), ...argv.filter((_, i) => !at.includes(i))]
}

function findWords(argv: readonly string[], tree: Tree, options: readonly Option[]) {
  const at: number[] = []
  let below = tree
  let isOptionUnknown = false
  for (let i = 0; i < argv.length && argv[i] !== '--'; i++) {
    const typed = argv[i] ?? ''
    if (typed.startsWith('-')) {
      const name = typed.startsWith('--') ? typed.replace(/=.*/s, '') : typed.slice(0, 2)
      const option = options.find(one => isOptionNamed(one, name))
      if (!option) isOptionUnknown = true
      if (typed === name && option?.required) i++
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
