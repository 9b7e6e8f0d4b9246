import { type Collection, idForms, isId } from '../values/ids.ts'
import { decodeSegment, endpointOf } from './effects.ts'

const names: Readonly<Record<Collection, string>> = {
  persons: 'person',
  plugins: 'plugin',
  event_definitions: 'event definition',
  projects: 'project',
  organizations: 'organization',
}

interface NamedObject {
  readonly collection: Collection
  readonly words: string
}

/** Undefined if the path does not tell which object is missing. A view may be missing where its project is not. */
export function namedObject(method: string, { pathname, searchParams }: URL): NamedObject | undefined {
  const [path] = /\/api\/(?:projects|organizations)\/.*$/.exec(pathname) ?? []
  if (path === undefined || !endpointOf(method, path)) return undefined
  const segments = path.split('/')
  const found = segments.flatMap((segment, i) => {
    const id = decodeSegment(segments[i + 1] ?? '')
    return isCollection(segment) && isId(segment, id) ? [{ collection: segment, id, end: i + 2 }] : []
  })
  // The cohorts of a person are a view of the project.
  const person = searchParams.get('person_id') ?? ''
  if (isId('persons', person)) found.push({ collection: 'persons', id: person, end: segments.length })
  const last = found.at(-1)
  if (!last) return undefined
  const { collection, end } = last
  const words = found
    .map(one => `${names[one.collection]} ${one.id}`)
    .reverse()
    .join(' of ')
    .replace(/^./, letter => letter.toUpperCase())
  const rest = segments.slice(end).filter(segment => segment !== '')
  const isView = isParent(collection) && !isEmptyOrList(rest)
  return { collection, words: isView ? `${words}, or ${rest.map(decodeSegment).join('/')} in it,` : words }
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
