import { decode, type JsonObject } from '../json/exact.ts'
import { yamlField } from '../json/yaml.ts'
import { isSecretName } from '../secrets/secret-names.ts'
import { escapeControls } from '../text/escape-controls.ts'
import { fieldProblem, type Kind } from '../values/kinds.ts'
import { isSame } from '../values/same.ts'
import { isUnfilled, projectFields } from './read.ts'

/** A settings file: every writable field in the order of the service's document, secrets as comments. */
export function settingsYaml(id: string, record: JsonObject): string {
  const lines = exportedSettings(record).map(setting =>
    'omitted' in setting ? `# ${setting.field}: ${setting.omitted}\n` : yamlField(setting.field, setting.value),
  )
  return `# Fields that you remove from this file are not changed.\nproject: ${id}\n\n${lines.join('')}`
}

/** The same as data, without what a settings file cannot hold. */
export function settingsObject(id: string, record: JsonObject): JsonObject {
  const settings = exportedSettings(record).flatMap(one => ('value' in one ? [[one.field, one.value] as const] : []))
  return { project: decode(id), ...Object.fromEntries(settings) }
}

type ExportedSetting = { readonly field: string } & ({ readonly value: unknown } | { readonly omitted: string })

function exportedSettings(record: JsonObject): readonly ExportedSetting[] {
  return [...projectFields].map(([field, kind]) => {
    if (!Object.hasOwn(record, field)) return { field, omitted: 'not on this server' }
    if (isSecretName(field)) return { field, omitted: `\${${field.toUpperCase()}}` }
    const value = asDocumented(kind, record[field])
    const problem = value === null ? undefined : fieldProblem(field, kind, value)
    if (isUnfilled(value)) return { field, omitted: 'omitted: its value looks like a placeholder' }
    return problem === undefined ? { field, value } : { field, omitted: `omitted: ${escapeControls(problem)}` }
  })
}

/** Converts a value of another type, such as 0.5 for "0.5", to the documented type. */
function asDocumented(kind: Kind<unknown>, value: unknown): unknown {
  if (value === null || kind.check(value) === undefined) return value
  const parsed = kind.parse(String(value))
  return 'value' in parsed && isSame(kind, parsed.value, value) ? parsed.value : value
}
