import { type Collection, idForms, isId } from '../values/ids.ts'
import { decodeSegment, endpointOf } from './effects.ts'

const names: Readonly<Record<Collection, string>> = {
  persons: 'person',
  plugins: 'plugin',
  event_definitions: 'event definition',
  projects: 'project',
  organizations: 'organization',
}

/** Undefined if the path does not tell which object is missing. */
export function namedObject(method: string, pathname: string): string | undefined {
  const [path] = /\/api\/(?:projects|organizations)\/.*$/.exec(pathname) ?? []
  if (path === undefined || !endpointOf(method, path)) return undefined
  const segments = path.split('/')
  const found = segments.flatMap((segment, i) => {
    const id = decodeSegment(segments[i + 1] ?? '')
    return isCollection(segment) && isId(segment, id) ? [{ collection: segment, id, end: i + 2 }] : []
  })
  const last = found.at(-1)
  if (!last || (isParent(last.collection) && !isEmptyOrList(segments.slice(last.end)))) return undefined
  const text = found.map(({ collection, id }) => `${names[collection]} ${id}`).reverse()
  return text.join(' of ').replace(/^./, letter => letter.toUpperCase())
}

function isCollection(segment: string): segment is Collection {
  return Object.hasOwn(idForms, segment)
}

function isParent(collection: Collection): boolean {
  return collection === 'projects' || collection === 'organizations'
}

/** A 404 for a project's list means the project; a view of the list may be missing alone. */
function isEmptyOrList(segments: readonly string[]): boolean {
  const [list = '', ...more] = segments.filter(segment => segment !== '')
  return list === '' || (isCollection(list) && more.length === 0)
}
