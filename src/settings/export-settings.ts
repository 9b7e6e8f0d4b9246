/** A project's settings as a file to keep: every writable field, in the order of the service's document. */
import { secretFields } from '../api/resources.ts'
import { decode } from '../json/exact.ts'
import { elements, kindOf, members, textOf } from '../json/pick.ts'
import { problemOf } from '../json/problem.ts'
import type { Item } from '../json/slice.ts'
import { yamlOf } from '../output/yaml.ts'
import { escapeControls } from '../values/escape-controls.ts'
import { json } from '../values/kinds.ts'
import { fields } from './fields.ts'
import { spelled } from './variables.ts'

/** The settings as JSON, without secrets and without what a settings file could not hold. */
export function settingsItem(project: Item): Item {
  const found = new Map(members(project))
  const written = [...fields.keys()].flatMap(field => {
    const item = found.get(field)
    return item && whyNot(field, item) === undefined ? [`${JSON.stringify(field)}:${literal(item)}`] : []
  })
  return Buffer.from(`{${written.join()}}`)
}

/** The same as YAML, with a comment in the place of each field that is left out. */
export function settingsYaml(project: Item): string {
  const found = new Map(members(project))
  const lines = [...fields.keys()].map(field => {
    const item = found.get(field)
    if (!item) return `# ${field}: this server does not have it\n`
    const reason = whyNot(field, item)
    return reason === undefined ? yamlOf(Buffer.from(`{${JSON.stringify(field)}:${literal(item)}}`)) : `# ${reason}\n`
  })
  return heading + lines.join('')
}

const heading = `# Settings of a project. A field that is taken out is left alone.
# To show and make the changes: analytics projects diff|apply -f FILE

`

/** The comment in the place of a field that is not written; undefined for one that is. */
function whyNot(field: string, item: Item): string | undefined {
  if (secretFields.includes(field)) return `${field}: \${${field.toUpperCase()}}`
  if (kindOf(item) === 'null') return undefined
  const problem = problemOf(fields.get(field) ?? json, decode(item))
  return problem === undefined ? undefined : `${field}: left out: ${escapeControls(problem)}`
}

/** The JSON text of a value, with what looks like a variable spelled so that it is none. */
function literal(item: Item): string {
  switch (kindOf(item)) {
    case 'array':
      return `[${elements(item).map(literal).join()}]`
    case 'object':
      return `{${members(item)
        .map(([name, value]) => `${JSON.stringify(name)}:${literal(value)}`)
        .join()}}`
    case 'string':
      return JSON.stringify(spelled(textOf(item)))
    default:
      return item.toString()
  }
}
