import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { project, writableOf } from '../../api/resources.ts'
import { UsageError } from '../../errors.ts'
import { type InputHost, readInputText } from '../../files/read-input.ts'
import { cannotRead } from '../../files/system-error.ts'
import { absolutePath } from '../../host.ts'
import { isNumber, isObject } from '../../json/exact.ts'
import { readYaml, type YamlMember } from '../../json/yaml.ts'
import { sentence } from '../../messages/messages.ts'
import { nearest } from '../../text/nearest.ts'
import { fieldProblem, json, type Kind, numeric } from '../../values/kinds.ts'

export interface ProjectSettings {
  /** Undefined for the resolved project. */
  readonly project: string | undefined
  readonly settings: readonly FileSetting[]
}

/** Throws `UsageError` for mistakes. If there are several, it first passes each to `print`. */
export async function readSettings(
  host: InputHost,
  names: readonly string[],
  print: (line: string) => void,
): Promise<readonly ProjectSettings[]> {
  if (names.length === 0) throw new UsageError('No settings file given', { hint: 'Use -f FILE' })
  const mistakes: UsageError[] = []
  const files: SettingsFile[] = []
  for (const named of names) {
    const inFolder = filesIn(host, named)
    for (const file of inFolder ?? [named]) {
      try {
        const read = await readSettingsFile(host, file, mistakes)
        files.push(read)
        if (inFolder && read.project === undefined) mistakes.push(withoutProject(read))
      } catch (error) {
        if (!(error instanceof UsageError)) throw error
        mistakes.push(error)
      }
    }
  }
  const own = files.filter(({ project }) => project !== undefined)
  const shared = files.filter(({ project }) => project === undefined)
  refuseMistakes([...mistakes, ...own.flatMap(namedBefore), ...(own.length > 0 ? sharedNames(shared) : [])], print)
  const under = shared.flatMap(({ settings }) => settings)
  if (own.length === 0) return [{ project: undefined, settings: mergedByField(under) }]
  return own.map(({ project, settings }) => ({ project, settings: mergedByField([...under, ...settings]) }))
}

function filesIn(host: InputHost, named: string): readonly string[] | undefined {
  const path = absolutePath(host, named)
  let found: readonly string[]
  try {
    if (named === '-' || !statSync(path, { throwIfNoEntry: false })?.isDirectory()) return undefined
    found = readdirSync(path).filter(name => /^[^.].*\.(yaml|yml|json)$/.test(name))
  } catch (error) {
    throw cannotRead(named, error, 'Check that you can read it')
  }
  if (found.length > 0) return found.toSorted().map(name => join(named, name))
  throw new UsageError(`${named} has no settings files`, { hint: 'Settings files end in .yaml, .yml or .json' })
}

function withoutProject({ name }: SettingsFile): UsageError {
  const hint = 'Add a line such as project: 42, or give the file its own -f'
  return new UsageError(`${name} does not name its project`, { hint })
}

function namedBefore({ name, project }: SettingsFile, at: number, files: readonly SettingsFile[]): UsageError[] {
  const before = files.slice(0, at).find(file => file.project === project)
  const hint = 'Use only one of them'
  return before ? [new UsageError(`${before.name} and ${name} are both for project ${project}`, { hint })] : []
}

/** Every project would get the same name. */
function sharedNames(shared: readonly SettingsFile[]): UsageError[] {
  const names = shared.flatMap(({ settings }) => settings.filter(({ field }) => field === 'name'))
  const details = { attr: 'name', hint: 'Move name to the file of one project' }
  return names.map(({ at }) => new UsageError(`${at}: the projects would all get the same name`, details))
}

function mergedByField(settings: readonly FileSetting[]): readonly FileSetting[] {
  return [...new Map(settings.map(setting => [setting.field, setting])).values()]
}

export const projectFields: ReadonlyMap<string, Kind<unknown>> = new Map(Object.entries(writableOf(project)))

export interface FileSetting {
  readonly field: string
  readonly value: unknown
  readonly at: string
}

interface SettingsFile extends ProjectSettings {
  readonly name: string
}

const maxBytes = 1024 * 1024

/** Collects mistakes of fields. Throws `UsageError` for a file that cannot be read, or is neither YAML nor JSON. */
async function readSettingsFile(host: InputHost, file: string, mistakes: UsageError[]): Promise<SettingsFile> {
  const name = file === '-' ? 'stdin' : file
  const members = readYaml(await readInputText(host, { file, where: name, maxBytes }), name)
  for (const member of members) {
    const [problem, hint] = memberProblem(member)
    if (problem === undefined) continue
    mistakes.push(new UsageError(`${name}:${member.line}: ${problem}`, { attr: member.name, hint }))
  }
  const id = members.find(member => member.name === 'project')?.value
  const settings = members
    .filter(member => member.name !== 'project')
    .map(({ name: field, line, value }) => ({ field, value: settingOf(field, value), at: `${name}:${line}` }))
  if (settings.length === 0) {
    const hint = 'To start from the settings of a project: analytics projects pull ID'
    mistakes.push(new UsageError(`${name} has no settings`, { hint }))
  }
  return { name, project: id === undefined ? undefined : String(id), settings }
}

function memberProblem({ name, value, problem }: YamlMember): readonly [problem?: string, hint?: string] {
  if (problem !== undefined) return [`${shownName(name)} ${problem}`]
  if (name === 'project') {
    if (typeof value !== 'object' && /^[1-9]\d*$/.test(String(value))) return []
    return ['project must be the id of a project', 'Write it like this: project: 42']
  }
  if (Object.hasOwn(project, name) && !projectFields.has(name)) {
    return [`${name} is read-only`, 'Remove it from the file']
  }
  if (isUnfilled(value)) {
    return [`${name} is a placeholder, not a value`, 'Replace it with the value, or remove the field']
  }
  const wrong = value === null ? undefined : fieldProblem(name, projectFields.get(name) ?? json, settingOf(name, value))
  return wrong === undefined ? [] : [`${name} ${wrong}`, 'Correct the value in the file']
}

/** A template that was not filled in can make a key of a secret. */
function shownName(name: string): string {
  return /^[\w-]{1,60}$/.test(name) ? name : 'a field'
}

/** A sample rate is documented as text. Without quotes YAML reads it as a number, and some servers send one. */
export function settingOf(field: string, value: unknown): unknown {
  return isNumber(value) && projectFields.get(field) === numeric ? String(value) : value
}

/** A variable that was not replaced, or a secret as tables and diffs mask it. */
export function isUnfilled(value: unknown): boolean {
  if (typeof value === 'string') return /^\s*(\$\{[^{}]*\}|\((another )?secret\)|\*{3}.{0,4})\s*$/s.test(value)
  if (Array.isArray(value)) return value.some(isUnfilled)
  return isObject(value) && Object.values(value).some(isUnfilled)
}

/** Throws `UsageError` for fields that are neither documented nor `known`. */
export function refuseUnknownFields(
  settings: readonly FileSetting[],
  print: (line: string) => void,
  known: readonly string[],
): void {
  const fields = [...projectFields.keys(), ...known]
  const unknown = settings.filter(({ field }) => !fields.includes(field))
  refuseMistakes(
    unknown.map(setting => unknownField(setting, fields)),
    print,
  )
}

function unknownField({ field, at }: FileSetting, known: readonly string[]): UsageError {
  const near = nearest(field, known)
  const hint = near ? `Did you mean ${near}?` : 'To list the fields: analytics projects pull ID'
  const name = shownName(field) === field ? field : 'of that name'
  return new UsageError(`${at}: projects have no field ${name}`, { attr: field, hint })
}

function refuseMistakes(mistakes: readonly UsageError[], print: (line: string) => void): void {
  const [first] = mistakes
  if (!first) return
  if (mistakes.length === 1) throw first
  for (const { message, details } of mistakes) print([message, details.hint ?? []].flat().map(sentence).join(' '))
  throw new UsageError(`The settings have ${mistakes.length} mistakes; nothing was sent`, {
    attr: first.details.attr,
    hint: 'Correct the mistakes listed above',
  })
}
