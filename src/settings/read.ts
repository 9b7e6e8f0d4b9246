/** From settings files to the values that are wanted, each checked against the row of its field. */
import { project, secretFields } from '../api/resources.ts'
import { UsageError } from '../errors.ts'
import type { Host } from '../host.ts'
import { type Member, type Node, readYaml } from '../json/yaml.ts'
import { nearest } from '../values/nearest.ts'
import { fields } from './fields.ts'
import { type FileHost, fileText, nameOf, namesOf } from './file.ts'
import { checked, type Place, type Unset } from './value.ts'

/** Values by field. Only the fields that are in it are managed. */
export type Wanted = ReadonlyMap<string, unknown>

/**
 * Reads the files and merges them from left to right, field by field: a later value takes the place of an earlier one
 * as a whole. Throws `UsageError` with file, line and field for whatever the service could not take as it is meant.
 */
export async function readWanted(host: FileHost & Pick<Host, 'env'>, files: readonly string[]): Promise<Wanted> {
  if (files.filter(file => file === '-').length > 1) {
    throw new UsageError('-f - is given twice, and stdin can be read once', { hint: 'Put one of them in a file' })
  }
  const entries = new Map<string, Entry>()
  for (const file of files) {
    for (const entry of entriesOf(await fileText(host, file), nameOf(file), host.env)) entries.set(entry.name, entry)
  }
  if (entries.size === 0) {
    throw new UsageError(`There are no settings in ${namesOf(files)}`, {
      hint: 'analytics projects pull writes a file to start from',
    })
  }
  for (const { name, unset } of entries.values()) if (unset) refuseUnset(name, unset)
  return new Map([...entries].map(([name, { value }]) => [name, value]))
}

interface Entry {
  readonly name: string
  readonly value: unknown
  /** The variable that the value wants and the environment does not have; forgiven where a later file has another value. */
  readonly unset: Unset | undefined
}

function entriesOf(text: string, file: string, env: Host['env']): Entry[] {
  const root = readYaml(text, file)
  if (root === undefined || (root.shape === 'null' && root.text === 'null')) return []
  if (root.shape !== 'map') throw notSettings(root, file)
  return root.members.flatMap(member => {
    const { name } = member
    // How a JSON file tells an editor its schema.
    if (name === '$schema') return []
    const kind = fields.get(name)
    if (!kind) throw notWritable(member, file)
    let unset: Unset | undefined
    const place: Place = {
      file,
      field: name,
      secret: secretFields.includes(name),
      env,
      unset: found => {
        unset ??= found
      },
    }
    const value = checked(kind, member.value, place)
    return [{ name, value, unset }]
  })
}

function notSettings({ line }: Node, file: string): UsageError {
  return new UsageError(`${file}:${line}: this is not a setting, which is field: value`, {
    hint: 'Write settings as in timezone: Europe/Berlin',
  })
}

function notWritable({ line, name }: Member, file: string): UsageError {
  if (Object.hasOwn(project.fields, name)) {
    return new UsageError(`${file}:${line}: ${name} is read-only: the service sets it`, {
      attr: name,
      hint: 'Take it out of the file',
    })
  }
  const near = nearest(name, [...fields.keys()])
  return new UsageError(`${file}:${line}: a project has no field ${JSON.stringify(name)}`, {
    attr: name,
    hint: near ? `Did you mean ${near}?` : 'analytics projects pull writes all of them',
  })
}

function refuseUnset(field: string, { file, line, variable }: Unset): never {
  throw new UsageError(`${file}:${line}: ${field} takes its value from the variable ${variable}, which is not set`, {
    attr: field,
    hint: `Set it, or write $\${${variable}} if that very text is meant`,
  })
}
