import type { Connection } from '../../context.ts'
import { UsageError } from '../../errors.ts'
import { checkId } from '../../values/ids.ts'

interface Address {
  /** With placeholders; begins and ends with a slash, like all paths of the service. */
  readonly template: string
  readonly params: readonly (readonly [string, string])[]
}

/** Throws `UsageError` for a path that a server, proxy or parser may read differently from our guards. */
export function addressIn(typed: string): Address {
  const [, path = '', query = ''] = /^([^?]*)\??(.*)$/s.exec(typed) ?? []
  if (path === '') throw new UsageError('The path is empty', { hint })
  if (/^[a-z][a-z\d+.-]*:/i.test(path) || path.startsWith('//')) {
    throw new UsageError('Give a path, not a URL: the key goes to the base URL only', { hint })
  }
  if (/[\\#\s\p{Cc}]|%(?:2f|5c)/iu.test(path)) {
    throw new UsageError(`${JSON.stringify(path)} holds characters that a path cannot have`, {
      hint: 'Leave out white space, #, backslashes and encoded slashes',
    })
  }
  const segments = path.replace(/^\//, '').replace(/\/$/, '').split('/')
  for (const one of segments) check(one, segments.length === 1)
  const template = `/${segments.join('/')}/`.replace('//', '/')
  return { template, params: [...new URLSearchParams(query)] }
}

const hint = 'It starts like /api/projects/'

function check(one: string, only: boolean): void {
  if (one === '' && !only)
    throw new UsageError('A path cannot have two slashes in a row', { hint: 'Check for an empty id' })
  refuseAmbiguousSegment(one)
  if (!isEncoded(one)) throw new UsageError(`${JSON.stringify(one)} is not percent-encoded UTF-8`)
  if (/[{}]/.test(one) && one !== '{project}' && one !== '{organization}') {
    throw new UsageError(`There is no placeholder ${one}`, { hint: 'Use {project} or {organization}' })
  }
}

function isEncoded(one: string): boolean {
  try {
    decodeURIComponent(one)
    return true
  } catch {
    return false
  }
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

/** Throws `UsageError` for a segment that gets another meaning when decoded once or several times. */
function refuseAmbiguousSegment(value: string): void {
  if (isAmbiguous(value)) {
    throw new UsageError(`${JSON.stringify(value)} is not allowed in a path: it would address something else`)
  }
}

function isAmbiguous(value: string): boolean {
  for (let text = value; ; ) {
    // Some servers cut a segment at `;`.
    if (/^\.{1,2}(;|$)/.test(text) || /%(2f|5c)/i.test(text)) return true
    const decoded = text.replace(/%(2e|3b|25)/gi, code => decodeURIComponent(code))
    if (decoded === text) return false
    text = decoded
  }
}
