import { sameField } from '../api/answers/verify-applied.ts'
import { project } from '../api/resources.ts'
import { isObject, type Json, textOf } from '../json/exact.ts'
import type { Item } from '../json/item.ts'
import { fieldProblem } from '../json/problem.ts'
import { itemOf } from '../json/read-item.ts'
import { deepestYaml, isTooDeepForYaml } from '../json/yaml.ts'
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
  readonly value: unknown
  /** Why a settings file cannot hold the value. */
  readonly problem: string | undefined
}

/** Values of another type, such as 0.5 for "0.5", get the documented one. */
function settingsIn(record: Item): ReadonlyMap<string, Setting> {
  const fields = isObject(record.value) ? Object.entries(record.value) : []
  const settings = fields.map(([field, found]): Setting => {
    const value = asDocumented(field, found)
    return { field, value, problem: typeProblem(field, value) }
  })
  return new Map(settings.map(setting => [setting.field, setting]))
}

/** Without secrets, and without values that a settings file cannot hold, whose fields are `omitted`. */
export function settingsItem(record: Item, chosen = everyField) {
  const found = settingsIn(record)
  const there = [...fields.keys()].filter(chosen).flatMap(field => found.get(field) ?? [])
  const written = there.filter(({ field, problem }) => !isSecretName(field) && problem === undefined)
  return {
    item: itemOf(Object.fromEntries(written.map(({ field, value }) => memberOf(field, value)))),
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

function yamlOfSetting({ field, value, problem }: Setting): string {
  if (problem !== undefined) return `# ${escapeControls(field)}: left out: ${problem}\n`
  return yamlOf(Object.fromEntries([memberOf(field, value)]))
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

function asDocumented(field: string, value: Json): unknown {
  const kind = fields.get(field)
  const isCompound = isObject(value) || Array.isArray(value)
  if (!kind || isCompound || typeProblem(field, value) === undefined) return value
  const parsed = kind.parse(textOf(value))
  return 'value' in parsed && sameField(field, parsed.value, value) ? parsed.value : value
}

function typeProblem(field: string, value: unknown): string | undefined {
  if (value === null) return undefined
  // The field itself is one level of the file.
  if (isTooDeepForYaml(value, deepestYaml - 1)) return 'nested too deeply'
  const problem = fieldProblem(field, fields.get(field) ?? json, value)
  return problem && escapeControls(problem)
}

function memberOf(field: string, value: unknown): [string, unknown] {
  return [field, escaped(value)]
}

function escaped(value: unknown): unknown {
  if (typeof value === 'string') return escapeVariable(value)
  if (Array.isArray(value)) return value.map(escaped)
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => memberOf(name, member)))
}
