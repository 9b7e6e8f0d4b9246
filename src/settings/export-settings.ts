import { sameField } from '../api/answers/verify-applied.ts'
import { project } from '../api/resources.ts'
import { decode, encode } from '../json/exact.ts'
import type { Item } from '../json/item.ts'
import { elements, kindOf, members, textOf } from '../json/pick.ts'
import { fieldProblem } from '../json/problem.ts'
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

interface Setting {
  readonly field: string
  readonly item: Item
  /** Why a settings file cannot hold the value. */
  readonly problem: string | undefined
}

/** Values of another type, such as 0.5 for "0.5", get the documented one. */
function settingsIn(record: Item): ReadonlyMap<string, Setting> {
  const settings = members(record).map(([field, found]): Setting => {
    const item = asDocumented(field, found)
    return { field, item, problem: typeProblem(field, item) }
  })
  return new Map(settings.map(setting => [setting.field, setting]))
}

/** Without secrets, and without values that a settings file cannot hold, whose fields are `omitted`. */
export function settingsItem(record: Item, chosen = everyField) {
  const found = settingsIn(record)
  const there = [...fields.keys()].filter(chosen).flatMap(field => found.get(field) ?? [])
  const written = there.filter(({ field, problem }) => !isSecretName(field) && problem === undefined)
  return {
    item: Buffer.from(writeMembers(written.map(({ field, item }) => memberOf(field, item)))),
    omitted: there.flatMap(setting => (written.includes(setting) ? [] : [setting.field])),
  }
}

interface SettingsHeading {
  readonly id: string
  readonly command: string
}

export function settingsYaml(record: Item, { id, command }: SettingsHeading, chosen = everyField): string {
  const found = settingsIn(record)
  const lines = [...fields.keys()].filter(chosen).map(field => {
    const setting = found.get(field)
    if (!setting) return `# ${field}: this server does not have it\n`
    return isSecretName(field) ? `# ${field}: \${${field.toUpperCase()}}\n` : yamlOfSetting(setting)
  })
  const heading = [
    `# Settings of project ${id}. A field that is taken out is left alone.`,
    `# To show the changes: ${escapeControls(command)}`,
    '# To make them: the same with apply in place of diff',
  ]
  return `${heading.join('\n')}\n\n${lines.join('')}`
}

function yamlOfSetting({ field, item, problem }: Setting): string {
  if (problem !== undefined) return `# ${escapeControls(field)}: left out: ${problem}\n`
  return yamlOf(Buffer.from(writeMembers([memberOf(field, item)])))
}

/** Commented lines of fields that the service's document does not have; some of them cannot be written. */
export function undocumentedFields(record: Item, undocumented: boolean, chosen: Chosen) {
  const found = [...settingsIn(record).values()].filter(
    ({ field }) => chosen(field) && !Object.hasOwn(project.fields, field),
  )
  if (found.length === 0 || !undocumented) return { comments: '', omitted: found.length }
  const lines = found
    .map(setting => (isSecretName(setting.field) ? `${escapeControls(setting.field)}:\n` : yamlOfSetting(setting)))
    .map(text => text.trimEnd().replace(/^/gm, '# '))
  const heading = '\n# Not documented; apply and diff take them with --undocumented.\n'
  return { comments: `${heading}${lines.join('\n')}\n`, omitted: 0 }
}

/** Current fields, including secrets, to be applied later by `command`; fields that the record does not have are left out. */
export function previousSettings(record: Item, command: string, chosen: Chosen) {
  const found = settingsIn(record)
  const names = [...new Set([...fields.keys(), ...found.keys()])].filter(chosen)
  const there = names.flatMap(name => found.get(name) ?? [])
  const heading = [
    '# Settings of a project as they were before they were changed. Secrets are included.',
    `# To put them back: ${escapeControls(command)}`,
  ]
  return {
    yaml: `${heading.join('\n')}\n\n${there.map(yamlOfSetting).join('')}`,
    omitted: there.filter(({ problem }) => problem !== undefined),
  }
}

function asDocumented(field: string, item: Item): Item {
  const [kind, type] = [fields.get(field), kindOf(item)]
  if (!kind || type === 'object' || type === 'array' || typeProblem(field, item) === undefined) return item
  const parsed = kind.parse(type === 'string' ? textOf(item) : item.toString())
  const isSame = 'value' in parsed && sameField(field, parsed.value, decode(item))
  return isSame ? Buffer.from(encode(parsed.value)) : item
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
