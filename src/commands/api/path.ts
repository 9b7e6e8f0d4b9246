import { UsageError } from '../../errors.ts'

interface Address {
  /** With placeholders; begins and ends with a slash, like all paths of the service. */
  readonly template: string
  readonly query: readonly (readonly [string, string])[]
}

/** Throws `UsageError` for a path that a server or proxy may read otherwise than our guards do. */
export function addressIn(typed: string): Address {
  const [path = '', query = ''] = typed.split(/\?(.*)/s)
  const segments = path.replace(/^\//, '').replace(/\/$/, '').split('/')
  if (segments.includes('')) {
    throw new UsageError('A part of the path is empty', {
      hint: 'Give one like /api/projects/, below the base URL; is a variable of your shell not set?',
    })
  }
  // `%25` is refused too: some servers decode twice.
  const isUnclear = /[\\#;\s\p{Cc}]|%(2e|2f|3b|5c|25|(?![\da-f]{2}))/iu.test(path)
  if (isUnclear || segments.some(segment => /^\.{1,2}$/.test(segment))) {
    throw new UsageError(`${JSON.stringify(path)} may address something else`, {
      hint: 'Leave out . and .., encoded slashes, dots and percent signs, backslashes, ;, # and white space',
    })
  }
  const placeholder = segments.find(one => /[{}]/.test(one) && one !== '{project}' && one !== '{organization}')
  if (placeholder === undefined) return { template: `/${segments.join('/')}/`, query: [...new URLSearchParams(query)] }
  throw new UsageError(`There is no placeholder ${placeholder}`, { hint: 'Use {project} or {organization}' })
}
