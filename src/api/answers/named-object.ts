/** Which object a 404 is about, as far as the path tells. */
import { type Collection, idForms, isId } from '../../values/ids.ts'
import { percentDecoded } from '../../values/url.ts'
import { knownEndpointOf } from '../path.ts'

interface NamedObject {
  /** Such as `Person 42 of project 1`. */
  readonly words: string
  readonly advice: string
}

const names: Readonly<Record<Collection, string>> = {
  persons: 'person',
  plugins: 'plugin',
  event_definitions: 'event definition',
  projects: 'project',
  organizations: 'organization',
}

/** The id of a project or organization may come from a variable or the profile. */
const advice: Readonly<Partial<Record<Collection, string>>> = {
  organizations: 'Check the id in the command, ANALYTICS_ORGANIZATION or the profile',
  projects:
    'Check the id in the command, ANALYTICS_PROJECT or the profile; analytics projects list shows the projects of this key',
}

export function objectNamedBy(method: string, { pathname, searchParams }: URL): NamedObject | undefined {
  const [path] = /\/api\/(?:projects|organizations)\/.*$/.exec(pathname) ?? []
  if (path === undefined || !knownEndpointOf(method, path)) return undefined
  const segments = path.split('/').map(percentDecoded)
  const found = segments.flatMap((segment, i) => {
    const id = segments[i + 1] ?? ''
    return isCollection(segment) && isId(segment, id) ? [{ collection: segment, id, end: i + 2 }] : []
  })
  // The cohorts of a person are a view of the project.
  const person = searchParams.get('person_id') ?? ''
  if (isId('persons', person)) found.push({ collection: 'persons', id: person, end: segments.length })
  const last = found.at(-1)
  if (!last) return undefined
  const words = found
    .map(({ collection, id }) => `${names[collection]} ${id}`)
    .reverse()
    .join(' of ')
    .replace(/^./, letter => letter.toUpperCase())
  const rest = segments.slice(last.end).filter(segment => segment !== '')
  // A view may be missing where its project is not; a list is there where its project is.
  const isView = last.collection in advice && rest.length > 0 && !(rest.length === 1 && isCollection(rest[0] ?? ''))
  return {
    words: isView ? `${words}, or ${rest.join('/')} in it,` : words,
    advice: advice[last.collection] ?? 'Check the id, and the project or organization that it belongs to',
  }
}

function isCollection(segment: string): segment is Collection {
  return Object.hasOwn(idForms, segment)
}
