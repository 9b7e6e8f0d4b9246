import { isObject } from '../../json/exact.ts'
import { doubleQuoted, writeYaml } from '../../json/yaml.ts'
import { replaceControls } from '../../text/escape-controls.ts'
import { holdsRunnerCommand } from '../../text/runner-commands.ts'

/** Keeps numbers and the order of keys, and quotes text that YAML 1.1 or 1.2 would read as another type. */
export function yamlOf(value: unknown): string {
  return write(nodeOf(value))
}

function write(value: unknown): string {
  return writeYaml(value).replace(/[^\n]+/g, line => replaceControls(line, escaped))
}

function escaped(character: string): string {
  const hex = (character.codePointAt(0) ?? 0).toString(16)
  if (hex.length > 4) return `\\U${hex.padStart(8, '0')}`
  return hex.length > 2 ? `\\u${hex.padStart(4, '0')}` : `\\x${hex.padStart(2, '0')}`
}

function nodeOf(value: unknown): unknown {
  if (typeof value === 'string') return quoted(value)
  if (Array.isArray(value)) return value.map(nodeOf)
  if (!isObject(value)) return value
  return new Map(Object.entries(value).map(([name, member]) => [quoted(name), nodeOf(member)]))
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
