import { decode, type JsonObject } from '../json/exact.ts'
import { yamlField } from '../json/yaml.ts'
import { isSecretName } from '../secrets/secret-names.ts'
import { escapeControls } from '../text/escape-controls.ts'
import { fieldProblem } from '../values/field-problem.ts'
import type { Kind } from '../values/kinds.ts'
import { isSame } from '../values/same.ts'
import { isUnfilled, projectFields } from './read.ts'

/** A settings file: every writable field in the order of the service's document, secrets as comments. */
export function settingsYaml(id: string, record: JsonObject): string {
  const lines = [...projectFields].map(([field, kind]) => {
    if (!Object.hasOwn(record, field)) return `# ${field}: not on this server\n`
    if (isSecretName(field)) return `# ${field}: \${${field.toUpperCase()}}\n`
    const value = asDocumented(field, kind, record[field])
    const problem = problemOf(field, kind, value)
    return problem === undefined ? yamlField(field, value) : `# ${field}: omitted: ${escapeControls(problem)}\n`
  })
  return `# Fields that you remove from this file are not changed.\nproject: ${id}\n\n${lines.join('')}`
}

/** The same as data. Omits what a settings file cannot hold. */
export function settingsObject(id: string, record: JsonObject): JsonObject {
  const settings = [...projectFields].flatMap(([field, kind]) => {
    if (!Object.hasOwn(record, field) || isSecretName(field)) return []
    const value = asDocumented(field, kind, record[field])
    return problemOf(field, kind, value) === undefined ? [[field, value] as const] : []
  })
  return { project: decode(id), ...Object.fromEntries(settings) }
}

function problemOf(field: string, kind: Kind<unknown>, value: unknown): string | undefined {
  if (isUnfilled(value)) return 'its value looks like a placeholder'
  return value === null ? undefined : fieldProblem(field, kind, value)
}

/** Converts a value of another type, such as 0.5 for "0.5", to the documented type. */
function asDocumented(field: string, kind: Kind<unknown>, value: unknown): unknown {
  if (problemOf(field, kind, value) === undefined) return value
  const parsed = kind.parse(String(value))
  return 'value' in parsed && isSame(kind, parsed.value, value) ? parsed.value : value
}
