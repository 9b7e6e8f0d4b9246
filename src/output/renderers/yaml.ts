import { ExactNumber } from '../../json/exact.ts'
import type { Item } from '../../json/item.ts'
import { elements, kindOf, members, textOf } from '../../json/pick.ts'
import { refuseDeep } from '../../json/scan.ts'
import { deepestYaml, doubleQuoted, writeYaml } from '../../json/yaml.ts'
import { replaceControls } from '../../text/escape-controls.ts'
import { holdsRunnerCommand } from '../../text/runner-commands.ts'

/** Keeps numbers and the order of keys, and quotes text that YAML 1.1 or 1.2 would read as another type. */
export function yamlOf(item: Item): string {
  return write(treeOf(item))
}

function write(value: unknown): string {
  return writeYaml(value).replace(/[^\n]+/g, line => replaceControls(line, escaped))
}

function escaped(character: string): string {
  const hex = (character.codePointAt(0) ?? 0).toString(16)
  if (hex.length > 4) return `\\U${hex.padStart(8, '0')}`
  return hex.length > 2 ? `\\u${hex.padStart(4, '0')}` : `\\x${hex.padStart(2, '0')}`
}

function treeOf(item: Item): unknown {
  refuseDeep(item, deepestYaml)
  return nodeOf(item)
}

/** Maps, because objects would put keys like `10` first. */
function nodeOf(item: Item): unknown {
  switch (kindOf(item)) {
    case 'object':
      return new Map(members(item).map(([name, value]) => [quoted(name), nodeOf(value)]))
    case 'array':
      return elements(item).map(nodeOf)
    case 'number':
      return new ExactNumber(item.toString())
    case 'string':
      return quoted(textOf(item))
    default:
      return JSON.parse(item.toString())
  }
}

/**
 * Control characters need double quotes. Line feeds need them only if a line could be a command to a CI runner, or if
 * the rest is blanks, which the package partly loses in a block. `=` is a type in YAML 1.1.
 */
function quoted(text: string): unknown {
  const isPlain = replaceControls(text, character => (character === '\n' ? character : '')) === text
  if (isPlain && text !== '=' && !holdsRunnerCommand(text) && /^$|\S/.test(text)) return text
  return doubleQuoted(text)
}
