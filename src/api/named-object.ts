import { type Collection, idForms, isId } from '../values/ids.ts'
import { decodeSegment, endpointOf } from './effects.ts'

const names: Readonly<Record<Collection, string>> = {
  persons: 'person',
  plugins: 'plugin',
  event_definitions: 'event definition',
  projects: 'project',
  organizations: 'organization',
}

export function namedObject(method: string, pathname: string): string | undefined {
  // The base URL may put a prefix before it.
  const [path] = /\/api\/(?:projects|organizations)\/.*$/.exec(pathname) ?? []
  if (path === undefined || !endpointOf(method, path)) return undefined
  const segments = path.split('/')
  const found = segments.flatMap((collection, i) => {
    if (!Object.hasOwn(idForms, collection)) return []
    const id = decodeSegment(segments[i + 1] ?? '')
    return isId(collection as Collection, id) ? [`${names[collection as Collection]} ${id}`] : []
  })
  const text = found.reverse().join(' of ')
  return text === '' ? undefined : text.replace(/^./, letter => letter.toUpperCase())
}
