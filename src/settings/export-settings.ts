import { sameField } from '../api/answers/verify-applied.ts'
import { fieldProblem } from '../api/field-problem.ts'
import { project } from '../api/resources.ts'
import { decode, encode } from '../json/exact.ts'
import type { Item } from '../json/item.ts'
import { elements, kindOf, members, textOf } from '../json/pick.ts'
import { isDeeper } from '../json/scan.ts'
import { writeMembers } from '../json/write-members.ts'
import { deepestYaml } from '../json/yaml.ts'
import { yamlOf } from '../output/renderers/yaml.ts'
import { isSecretName } from '../secrets/secret-names.ts'
import { escapeControls } from '../text/escape-controls.ts'
import { json } from '../values/kinds.ts'
import { fields } from './fields.ts'
import { escapeVariable } from './variables.ts'

type Chosen = (field: string) => boolean

const everyField: Chosen = () => true

interface SettingsMembers {
  readonly item: Item
  /** Secrets, and fields with values that a settings file cannot hold. */
  readonly omitted: readonly string[]
}

export function settingsItem(record: Item, chosen = everyField): SettingsMembers {
  const found = settingsIn(record)
  const there = [...fields.keys()].filter(chosen).flatMap(field => {
    const item = found.get(field)
    return item ? [{ field, item, isOmitted: reasonToOmit(field, item) !== undefined }] : []
  })
  const written = there.filter(({ isOmitted }) => !isOmitted).map(({ field, item }) => memberOf(field, item))
  return {
    item: Buffer.from(writeMembers(written)),
    omitted: there.filter(({ isOmitted }) => isOmitted).map(({ field }) => field),
  }
}

interface SettingsHeading {
  readonly id: string
  readonly command: string
}

export function settingsYaml(record: Item, heading: SettingsHeading, chosen = everyField): string {
  const found = settingsIn(record)
  const lines = [...fields.keys()].filter(chosen).map(field => {
    const item = found.get(field)
    if (!item) return `# ${field}: this server does not have it\n`
    const reason = reasonToOmit(field, item)
    return reason === undefined ? yamlOf(Buffer.from(writeMembers([memberOf(field, item)]))) : `# ${reason}\n`
  })
  return exportHeading(heading) + lines.join('')
}

interface Undocumented {
  /** Commented lines; a secret stands there without its value. */
  readonly comments: string
  readonly omitted: number
}

/** Fields of the record that the service's document does not have. Some of them cannot be written. */
export function undocumentedFields(
  record: Item,
  { undocumented, only }: { readonly undocumented: boolean; readonly only: readonly string[] },
): Undocumented {
  const found = members(record).filter(([name]) => !Object.hasOwn(project.fields, name))
  if (found.length === 0 || !undocumented) return { comments: '', omitted: only.length > 0 ? 0 : found.length }
  const lines = found.flatMap(([name, item]) => {
    if (isSecretName(name)) return [`${escapeControls(name)}:`]
    if (isDeeper(item, deepestYaml - 1)) return [`${escapeControls(name)}: left out: nested too deeply`]
    return yamlOf(Buffer.from(writeMembers([memberOf(name, item)])))
      .trimEnd()
      .split('\n')
  })
  const heading = '\n# Not documented; apply and diff take them with --undocumented.\n'
  return { comments: heading + lines.map(line => `# ${line}\n`).join(''), omitted: 0 }
}

const exportHeading = ({
  id,
  command,
}: SettingsHeading) => `# Settings of project ${id}. A field that is taken out is left alone.
# To show the changes: ${escapeControls(command)}
# To make them: the same with apply in place of diff

`

interface PreviousSettings {
  readonly yaml: string
  readonly omitted: readonly Omitted[]
}

/** A value that a settings file cannot hold. */
export interface Omitted {
  readonly field: string
  readonly problem: string
}

/** Current fields, including secrets, to be applied later by `command`; fields that the record does not have are left out. */
export function previousSettings(record: Item, command: string, chosen: Chosen): PreviousSettings {
  const found = settingsIn(record)
  const omitted: Omitted[] = []
  const names = [...new Set([...fields.keys(), ...found.keys()])].filter(name => found.has(name) && chosen(name))
  const lines = names.map(field => {
    const item = found.get(field) ?? Buffer.from('null')
    const problem = typeProblem(field, item)
    if (problem === undefined) return yamlOf(Buffer.from(writeMembers([memberOf(field, item)])))
    omitted.push({ field, problem })
    return `# ${field}: left out: ${problem}\n`
  })
  return { yaml: previousHeading(command) + lines.join(''), omitted }
}

/** Keys are fields. Values of another type, such as 0.5 for "0.5", get the documented one. */
function settingsIn(record: Item): ReadonlyMap<string, Item> {
  return new Map(members(record).map(([field, item]) => [field, asDocumented(field, item)]))
}

function asDocumented(field: string, item: Item): Item {
  const [kind, type] = [fields.get(field), kindOf(item)]
  if (!kind || type === 'object' || type === 'array' || typeProblem(field, item) === undefined) return item
  const parsed = kind.parse(type === 'string' ? textOf(item) : item.toString())
  const isSame = 'value' in parsed && sameField(field, parsed.value, decode(item))
  return isSame ? Buffer.from(encode(parsed.value)) : item
}

const previousHeading = (
  command: string,
) => `# Settings of a project as they were before they were changed. Secrets are included.
# To put them back: ${escapeControls(command)}

`

function reasonToOmit(field: string, item: Item): string | undefined {
  if (isSecretName(field)) return `${field}: \${${field.toUpperCase()}}`
  const problem = typeProblem(field, item)
  return problem && `${field}: left out: ${problem}`
}

function typeProblem(field: string, item: Item): string | undefined {
  if (kindOf(item) === 'null') return undefined
  // The field itself is one level of the file.
  if (isDeeper(item, deepestYaml - 1)) return 'nested too deeply'
  const problem = fieldProblem(field, fields.get(field) ?? json, decode(item))
  return problem && escapeControls(problem)
}

function memberOf(field: string, item: Item): [string, string] {
  return [field, escapeItem(item)]
}

function escapeItem(item: Item): string {
  switch (kindOf(item)) {
    case 'array':
      return `[${elements(item).map(escapeItem).join()}]`
    case 'object':
      return writeMembers(members(item).map(([name, value]) => memberOf(name, value)))
    case 'string':
      return JSON.stringify(escapeVariable(textOf(item)))
    default:
      return item.toString()
  }
}
