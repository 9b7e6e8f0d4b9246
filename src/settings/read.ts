/** Which settings are for which project: files and folders, each named with `-f`. */
import { readdirSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { UsageError } from '../errors.ts'
import type { InputHost } from '../files/read-input.ts'
import { cannotRead } from '../files/system-error.ts'
import { type FileSetting, type Mistake, readSettingsFile, refuseMistakes, type SettingsFile } from './read-file.ts'

export interface ProjectSettings {
  /** Undefined where no file names a project: the settings are for the one in use. */
  readonly project: string | undefined
  readonly settings: readonly FileSetting[]
}

/**
 * Each file with a `project` is one project, and the files without are merged under all of them, left to right. Throws
 * `UsageError` for mistakes, of which several are written first with `say`.
 */
export async function readSettings(
  host: InputHost,
  given: readonly string[],
  say: (line: string) => void,
): Promise<readonly ProjectSettings[]> {
  if (given.length === 0) throw new UsageError('No settings file given', { hint: 'Give -f FILE' })
  if (given.filter(file => file === '-').length > 1) {
    throw new UsageError('-f - is given twice, and stdin can be read once', { hint: 'Put one of them in a file' })
  }
  const mistakes: Mistake[] = []
  const files: SettingsFile[] = []
  for (const named of given) {
    const inFolder = filesIn(host, named)
    for (const file of inFolder ?? [named]) {
      try {
        const read = await readSettingsFile(host, file, mistakes)
        files.push(read)
        if (inFolder && read.project === undefined) mistakes.push(withoutProject(read))
      } catch (error) {
        if (!(error instanceof UsageError)) throw error
        mistakes.push({ text: error.message, ...(error.facts.hint ? { hint: error.facts.hint } : {}) })
      }
    }
  }
  const own = files.filter(({ project }) => project !== undefined)
  const shared = files.filter(({ project }) => project === undefined)
  refuseMistakes([...mistakes, ...own.flatMap(namedBefore), ...(own.length > 0 ? namesIn(shared) : [])], say)
  const under = shared.flatMap(({ settings }) => settings)
  if (own.length === 0) return [{ project: undefined, settings: merged(under) }]
  return own.map(({ project, settings }) => ({ project, settings: merged([...under, ...settings]) }))
}

function filesIn({ cwd }: InputHost, named: string): readonly string[] | undefined {
  const path = resolve(cwd, named)
  let found: readonly string[]
  try {
    if (named === '-' || !statSync(path, { throwIfNoEntry: false })?.isDirectory()) return undefined
    found = readdirSync(path).filter(name => /\.(yaml|yml|json)$/.test(name))
  } catch (error) {
    throw cannotRead(named, error, 'Check whether you may read it')
  }
  if (found.length > 0) return found.toSorted().map(name => join(named, name))
  throw new UsageError(`There is no settings file in ${named}`, { hint: 'Its files end in .yaml, .yml or .json' })
}

function withoutProject({ name }: SettingsFile): Mistake {
  const hint = 'Write it as in project: 42, or give the file an -f of its own'
  return { text: `${name} does not say which project it is for`, hint }
}

function namedBefore({ name, project }: SettingsFile, at: number, files: readonly SettingsFile[]): Mistake[] {
  const before = files.slice(0, at).find(file => file.project === project)
  if (!before) return []
  return [{ text: `${before.name} and ${name} are both for project ${project}`, hint: 'Keep one of them' }]
}

/** A name that is merged under several projects would be the name of all of them. */
function namesIn(shared: readonly SettingsFile[]): Mistake[] {
  const names = shared.flatMap(({ settings }) => settings.filter(({ field }) => field === 'name'))
  const hint = 'Put it into the file of its project'
  return names.map(({ at }) => ({ text: `${at}: name would be given to other projects`, hint, field: 'name' }))
}

function merged(settings: readonly FileSetting[]): readonly FileSetting[] {
  return [...new Map(settings.map(setting => [setting.field, setting])).values()]
}
