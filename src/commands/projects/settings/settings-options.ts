import { resolve } from 'node:path'
import { idArgument, manyArguments } from '../../../cli/arguments.ts'
import { flag, type OptionsOf, option, repeated } from '../../../cli/options.ts'
import type { Context } from '../../../context.ts'
import { UsageError } from '../../../errors.ts'
import { fileIdentity } from '../../../files/file-identity.ts'
import { checkWritable } from '../../../files/private-file.ts'
import { refuseSameFile } from '../../../runs/checks/same-file.ts'
import { chooseFields } from '../../../settings/fields.ts'
import { type DesiredState, readSettings } from '../../../settings/read.ts'
import { isKeyVariable, readVariable, variableNames } from '../../../settings/variables.ts'
import { refuseCurrent } from '../../../values/ids.ts'
import { inputFile, newFile, text } from '../../../values/kinds.ts'

export const projectIds = idArgument(
  manyArguments('ID', 'ids of the projects; left out: the project in use'),
  'projects',
  { text: 'a settings file use -f' },
)

export const fileOptions = {
  file: {
    ...repeated(inputFile, 'FILE', 'settings as YAML or JSON; - is stdin; a later file wins field by field'),
    short: '-f',
  },
  env: repeated(variableNames, 'NAME', 'let the files use this variable of the environment'),
} as const

export const fieldChoice = {
  undocumented: flag('also fields that the service does not document'),
  only: repeated(text, 'A,B', 'only these fields'),
  except: repeated(text, 'A,B', 'all fields but these'),
}

export const comparing = {
  ...fileOptions,
  manifest: option(inputFile, 'FILE', 'a file that says which settings files each of many projects has'),
  onlyProject: repeated(text, 'ID', 'only this project of the manifest'),
  ...fieldChoice,
  markdown: option(newFile, 'FILE', 'write the changes to this file too, for a job summary'),
}

type Given = OptionsOf<typeof comparing>

export interface ProjectSettings {
  /** Undefined means the project in use. */
  readonly id: string | undefined
  readonly desired: DesiredState
}

export interface SettingsSources {
  readonly projects: readonly ProjectSettings[]
  /** With several projects, changes name their project. */
  readonly many: boolean
  readonly names: readonly string[]
  readonly variables: readonly string[]
  readonly files: readonly string[]
}

/** Throws `UsageError` for any mistake in the files, before any request. */
export async function readSources(context: Context, ids: readonly string[], given: Given): Promise<SettingsSources> {
  const { host, messages } = context
  const { manifest } = given
  const chosen = chooseFields(given)
  const allowed = allowVariables(context, given.env)
  const distinct = [...new Set(ids)]
  refuseCurrent(distinct)
  const listed = manifest === undefined ? undefined : await readListed(context, ids, given, manifest)
  if (!listed && given.onlyProject.length > 0) {
    throw new UsageError('--only-project chooses among the projects of a manifest', { hint: 'Give --manifest FILE' })
  }
  if (!listed && given.file.length === 0) {
    throw new UsageError('No settings file given', { hint: 'Give -f FILE, or --manifest FILE for many projects' })
  }
  const named = distinct.length > 0 ? distinct : [undefined]
  const all = listed ?? named.map(id => ({ id, files: given.file }))
  const files = [...new Set([...all.flatMap(project => project.files), ...(manifest === undefined ? [] : [manifest])])]
  refuseSameFile(context, { '--markdown': given.markdown }, files)
  if (given.markdown !== undefined) checkWritable(resolve(host.cwd, given.markdown), '--markdown')
  const projects = all.filter(({ id }) => given.onlyProject.length === 0 || given.onlyProject.includes(id ?? ''))
  const variables = { env: host.env, allowed }
  const desired = await readSettings(
    host,
    projects.map(({ files }) => files),
    { variables, chosen, messages, undocumented: given.undocumented, shared: sharedFiles(host.cwd, all) },
  )
  return {
    projects: projects.map(({ id }, i) => ({ id, desired: desired[i] ?? noSettings })),
    many: listed !== undefined || all.length > 1,
    names: manifest === undefined ? given.file : [manifest],
    variables: allowed,
    files,
  }
}

export const noSettings: DesiredState = { values: new Map(), fromVariables: new Set() }

async function readListed(context: Context, ids: readonly string[], given: Given, manifest: string) {
  if (ids.length > 0 || given.file.length > 0) {
    throw new UsageError(`--manifest cannot be combined with ${ids.length > 0 ? 'ids' : '-f'}`, {
      hint: 'The manifest names the projects and their files; --only-project ID chooses some of them',
    })
  }
  const { readManifest } = await import('../../../settings/manifest.ts')
  const listed = await readManifest(context.host, manifest, context.messages.say)
  const unknown = given.onlyProject.find(id => !listed.some(project => project.id === id))
  if (unknown === undefined) return listed
  throw new UsageError(`--only-project ${unknown}: ${manifest} has no such project`, {
    hint: `It has ${listed.map(({ id }) => id).join(', ')}`,
  })
}

/** Returns files that several projects use, under each name that occurs. */
function sharedFiles(cwd: string, projects: readonly { readonly files: readonly string[] }[]): ReadonlySet<string> {
  const written = new Set(projects.flatMap(({ files }) => files))
  const identities = new Map([...written].map(file => [file, fileIdentity(resolve(cwd, file))]))
  const had = projects.flatMap(({ files }) => [...new Set(files.map(file => identities.get(file)))])
  const shared = new Set(had.filter((identity, i) => had.indexOf(identity) < i))
  return new Set([...written].filter(file => shared.has(identities.get(file))))
}

/** Their values are secrets from now on, also where no file uses them: whoever edits the files must not choose what is shown. */
export function allowVariables(
  { host, secrets }: Context,
  given: OptionsOf<typeof fileOptions>['env'],
): readonly string[] {
  const names = given.flat()
  const key = names.find(isKeyVariable)
  if (key !== undefined) throw new UsageError(`--env ${key}: the key is not a setting`, { hint: 'Leave it out' })
  for (const name of names) secrets.add(readVariable(host.env, name))
  return names
}
