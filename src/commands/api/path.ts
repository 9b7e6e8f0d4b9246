import type { Connection } from '../../context.ts'
import { UsageError } from '../../errors.ts'
import { checkId } from '../../values/ids.ts'

export interface Address {
  /** With placeholders; begins and ends with a slash, like all paths of the service. */
  readonly template: string
  readonly params: readonly (readonly [string, string])[]
}

const hint = 'It starts like /api/projects/'

/** Throws `UsageError` for a path that a server or proxy may read otherwise than our guards do. */
export function addressIn(typed: string): Address {
  const [path = '', query = ''] = typed.split(/\?(.*)/s)
  if (path === '') throw new UsageError('The path is empty', { hint })
  if (/^[a-z][a-z\d+.-]*:/i.test(path) || path.startsWith('//')) {
    throw new UsageError('Give a path, not a URL: the key goes to the base URL only', { hint })
  }
  const segments = path.replace(/^\//, '').replace(/\/$/, '').split('/')
  if (segments.length > 1 && segments.includes('')) {
    throw new UsageError('A path cannot have two slashes in a row', { hint: 'Check it for an empty variable' })
  }
  // `%25` is refused too: some servers decode twice.
  const isUnclear = /[\\#;\s\p{Cc}]|%(2e|2f|3b|5c|25|(?![\da-f]{2}))/iu.test(path)
  if (isUnclear || segments.some(segment => /^\.{1,2}$/.test(segment))) {
    throw new UsageError(`${JSON.stringify(path)} may address something else`, {
      hint: 'A path has no segments . and .., no encoded slash, dot or percent sign, no backslash, ;, # or white space',
    })
  }
  const placeholder = segments.find(one => /[{}]/.test(one) && one !== '{project}' && one !== '{organization}')
  if (placeholder !== undefined) {
    throw new UsageError(`There is no placeholder ${placeholder}`, { hint: 'Use {project} or {organization}' })
  }
  return { template: `/${segments.join('/')}/`.replace('//', '/'), params: [...new URLSearchParams(query)] }
}

/** Throws `UsageError` if the project, or the source of the organization, is not given. Sends no request. */
export function inProject({ template }: Address, { project, requireOrganization }: Connection): string {
  if (template.includes('{organization}')) requireOrganization()
  return template.replaceAll('{project}', () => checkId('projects', project()))
}

export async function inOrganization(path: string, { organization }: Connection): Promise<string> {
  if (!path.includes('{organization}')) return path
  const id = checkId('organizations', await organization())
  return path.replaceAll('{organization}', () => id)
}
