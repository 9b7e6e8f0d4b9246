import { project } from '../api/resources.ts'
import { type Member, type Node, nameOfKey, readYaml } from '../json/yaml.ts'
import { nearest } from '../text/nearest.ts'
import { json } from '../values/kinds.ts'
import { fields } from './fields.ts'
import { byLine, type Mistake, mistakeAt } from './mistakes.ts'
import { ValueReader, type Variables } from './value.ts'

export interface FileEntry {
  readonly file: string
  readonly line: number
  readonly field: string
  readonly value: unknown
  readonly isFromVariable: boolean
  /** Errors of variables, which do not count if a later file replaces the field. */
  readonly variableMistakes: readonly Mistake[]
  readonly remarks: readonly string[]
}

export interface EntryOptions {
  readonly variables: Variables
  /** Takes fields that the document does not know, as free-form values. */
  readonly undocumented: boolean
}

export interface FileEntries {
  readonly entries: readonly FileEntry[]
  readonly mistakes: readonly Mistake[]
}

/** `file`: name for messages. Throws `UsageError` if the text is not YAML; other mistakes are returned. */
export function readEntries(text: string, file: string, { variables, undocumented }: EntryOptions): FileEntries {
  const { root, mistakes: unclear } = readYaml(text, file)
  const mistakes = unclear.map(mistake => mistakeAt(file, mistake))
  const isNull = root?.shape === 'null' && root.text === 'null'
  if (root === undefined || root.shape === 'invalid' || isNull) return { entries: [], mistakes }
  if (root.shape !== 'map') return { entries: [], mistakes: byLine([...mistakes, notSettings(root, file)]) }
  const members = root.members.filter(({ name }) => name !== '$schema')
  const entries = members.flatMap(member => {
    const { line, name: field, value: node } = member
    const isFree = undocumented && !Object.hasOwn(project.fields, field)
    const kind = isFree ? json : fields.get(field)
    if (!kind) {
      mistakes.push(notWritable(member, file))
      return []
    }
    const reader = new ValueReader(file, field, variables)
    const value = reader.read(kind, node)
    mistakes.push(...reader.mistakes)
    const { isFromVariable, variableMistakes, remarks } = reader
    return [{ file, line, field, value, isFromVariable, variableMistakes, remarks }]
  })
  return { entries, mistakes: byLine(mistakes) }
}

function notSettings({ line }: Node, file: string): Mistake {
  const problem = 'this is not a setting, which is field: value'
  return mistakeAt(file, { line, problem, hint: 'Write settings as in timezone: Europe/Berlin' })
}

function notWritable({ line, name }: Member, file: string): Mistake {
  if (Object.hasOwn(project.fields, name)) {
    const problem = `${name} is read-only: the service sets it`
    return mistakeAt(file, { line, problem, hint: 'Take it out of the file' }, name)
  }
  const near = nearest(name, [...fields.keys()])
  const hint = near ? `Did you mean ${near}?` : 'analytics projects pull writes all of them'
  const problem = nameOfKey(name) ? `a project has no field ${JSON.stringify(name)}` : 'a project has no such field'
  return mistakeAt(file, { line, problem, hint }, name)
}
