/** One settings file: its fields, each with what is wrong with it. */
import { project, writableOf } from '../api/resources.ts'
import { UsageError } from '../errors.ts'
import { type InputHost, readInputText } from '../files/read-input.ts'
import { ExactNumber, isObject } from '../json/exact.ts'
import { fieldProblem } from '../json/problem.ts'
import { readYaml, type YamlMember } from '../json/yaml.ts'
import { sentence } from '../messages/messages.ts'
import { isSecretName } from '../secrets/secret-names.ts'
import { nearest } from '../text/nearest.ts'
import { json, type Kind, numeric } from '../values/kinds.ts'

export const fields: ReadonlyMap<string, Kind<unknown>> = new Map(Object.entries(writableOf(project)))

export interface FileSetting {
  readonly field: string
  readonly value: unknown
  readonly at: string
}

export interface SettingsFile {
  readonly name: string
  readonly project: string | undefined
  readonly settings: readonly FileSetting[]
}

export interface Mistake {
  readonly text: string
  readonly hint?: string
  readonly field?: string
}

const most = 1024 * 1024

/** Collects mistakes of fields. Throws `UsageError` for a file that cannot be read, or is neither YAML nor JSON. */
export async function readSettingsFile(host: InputHost, file: string, mistakes: Mistake[]): Promise<SettingsFile> {
  const name = file === '-' ? 'stdin' : file
  const members = readYaml(await readInputText(host, { file, where: name, most }), name)
  for (const member of members) {
    const mistake = mistakeIn(member)
    if (mistake) mistakes.push({ field: member.name, ...mistake, text: `${name}:${member.line}: ${mistake.text}` })
  }
  const id = members.find(member => member.name === 'project')?.value
  const settings = members
    .filter(member => member.name !== 'project')
    .map(({ name: field, line, value }) => ({ field, value: settingOf(field, value), at: `${name}:${line}` }))
  if (settings.length === 0) mistakes.push({ text: `There are no settings in ${name}`, hint: startHint })
  return { name, project: id === undefined ? undefined : String(id), settings }
}

const startHint = 'analytics projects pull writes a file to start from'

function mistakeIn({ name, value, problem }: YamlMember): Mistake | undefined {
  if (problem !== undefined) return { text: `${shownName(name)} ${problem}` }
  if (name === 'project') {
    if (typeof value !== 'object' && /^[1-9]\d*$/.test(String(value))) return undefined
    return { text: 'project must be the id of a project', hint: 'Write it as in project: 42' }
  }
  if (Object.hasOwn(project.fields, name) && !fields.has(name)) {
    return { text: `${name} is read-only: the service sets it`, hint: 'Take it out of the file' }
  }
  if (isUnfilled(value)) {
    return { text: `${name} was not filled in`, hint: 'Put the value in its place, or take the field out of the file' }
  }
  const kind = fields.get(name) ?? json
  const wrong = value === null ? undefined : fieldProblem(name, kind, settingOf(name, value))
  return wrong === undefined ? undefined : { text: `${name} ${wrong}`, hint: hintFor(name, kind, value) }
}

/** In braces that a template left, a secret may stand as a key. */
function shownName(name: string): string {
  return /^[\w-]{1,60}$/.test(name) ? name : 'a field'
}

/** A number is the text of a field whose text is a number. */
function settingOf(field: string, value: unknown): unknown {
  const isNumber = typeof value === 'number' || value instanceof ExactNumber
  return isNumber && fields.get(field) === numeric ? String(value) : value
}

/** A variable of the environment that nobody replaced, or a secret as tables and diffs show it. */
function isUnfilled(value: unknown): boolean {
  if (typeof value === 'string') return /^(\$\{[^{}]*\}|\((another )?secret\)|\*{3}.{0,4})$/s.test(value)
  if (Array.isArray(value)) return value.some(isUnfilled)
  return isObject(value) && Object.values(value).some(isUnfilled)
}

function hintFor(name: string, kind: Kind<unknown>, value: unknown): string {
  const check = 'Check the value in the file'
  if (isSecretName(name) || typeof value === 'object') return check
  if (kind.choices) return `Write ${kind.choices.join(' or ')}`
  if (typeof value === 'string') return 'value' in kind.parse(value) ? `Write ${value} without quotes` : check
  return kind.name === 'string' ? `Write it in quotes: "${value}"` : check
}

/** For a field that neither the service's document nor the record of the project has. */
export function unknownField({ field, at }: FileSetting, known: Iterable<string> = fields.keys()): Mistake {
  const near = nearest(field, [...known])
  const hint = near ? `Did you mean ${near}?` : 'analytics projects pull writes all of them'
  return { text: `${at}: a project has no field ${shownName(field) === field ? field : 'of that name'}`, hint, field }
}

/** Throws `UsageError` if there are mistakes; several are written first with `say`, one a line. */
export function refuseMistakes(mistakes: readonly Mistake[], say: (line: string) => void): void {
  const [first] = mistakes
  if (!first) return
  if (mistakes.length === 1) throw new UsageError(first.text, { attr: first.field, hint: first.hint })
  for (const { text, hint } of mistakes) say([text, hint ?? []].flat().map(sentence).join(' '))
  throw new UsageError(`The settings have ${mistakes.length} mistakes; nothing was sent`, {
    attr: first.field,
    hint: 'Correct the lines above',
  })
}
