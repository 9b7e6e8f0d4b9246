import { type Collection, idForms, isId } from '../values/ids.ts'
import { decodeSegment, endpointOf } from './effects.ts'

const names: Readonly<Record<Collection, string>> = {
  persons: 'person',
  plugins: 'plugin',
  event_definitions: 'event definition',
  projects: 'project',
  organizations: 'organization',
}

/** Undefined if the path does not tell which object is missing. A view may be missing where its project is not. */
export function namedObject(method: string, { pathname, searchParams }: URL): string | undefined {
  const [path] = /\/api\/(?:projects|organizations)\/.*$/.exec(pathname) ?? []
  if (path === undefined || !endpointOf(method, path)) return undefined
  const segments = path.split('/')
  const found = segments.flatMap((segment, i) => {
    const id = decodeSegment(segments[i + 1] ?? '')
    return isCollection(segment) && isId(segment, id) ? [{ collection: segment, id, end: i + 2 }] : []
  })
  const last = found.at(-1)
  if (!last) return undefined
  const text = found.map(({ collection, id }) => `${names[collection]} ${id}`).reverse()
  const object = text.join(' of ').replace(/^./, letter => letter.toUpperCase())
  const rest = segments.slice(last.end).filter(segment => segment !== '')
  // The cohorts of a person are a view of the project.
  const person = searchParams.get('person_id')
  if (person !== null && isId('persons', person)) return `Person ${person} of ${text.join(' of ')}`
  const isView = isParent(last.collection) && !isEmptyOrList(rest)
  return isView ? `${object}, or ${rest.map(decodeSegment).join('/')} in it,` : object
}

function isCollection(segment: string): segment is Collection {
  return Object.hasOwn(idForms, segment)
}

function isParent(collection: Collection): boolean {
  return collection === 'projects' || collection === 'organizations'
}

/** A 404 for a project's list means the project; a view of the list may be missing alone. */
function isEmptyOrList([list, ...more]: readonly string[]): boolean {
  return list === undefined || (isCollection(list) && more.length === 0)
}
