/** A 404 means a missing object, a wrong base URL, another version of the service, or a page after the last one. */
import { NotFoundError } from '../../errors.ts'
import { type Collection, idForms, isId } from '../../values/ids.ts'
import { betterBaseOf, checkBaseOf } from '../base-url.ts'
import { decodeSegment, endpointOf } from '../effects.ts'
import { type Refusal, worded } from './refusal.ts'

export function missingFailure(refusal: Refusal): NotFoundError {
  const { request, isService, errorBody, facts } = refusal
  const { method, url } = request
  if (isService && /^endpoint not found\.?$/i.test(errorBody.detail ?? '')) {
    const hint = betterBaseOf(url) ? checkBaseOf(url) : 'Its version may not have this: check the path'
    return new NotFoundError(`The service does not know this path (404)`, { ...facts, hint, isObject: false })
  }
  const later = isService ? laterPage(url, errorBody.detail) : undefined
  const object = isService ? namedObject(method, url) : undefined
  const missing = later ?? object?.words
  const message =
    missing === undefined ? worded('Not found', refusal) : withDetail(`${missing} was not found`, errorBody.detail)
  const general = isService ? 'Check the path and the ids in it' : 'Check the base URL, then the path and the ids in it'
  const advice = object ? adviceOn(object.collection) : general
  const hint = betterBaseOf(url) ? `${checkBaseOf(url)}; if it is right, check the id` : advice
  return new NotFoundError(message, {
    ...facts,
    hint: later ? 'Ask for an earlier page, or for --all' : hint,
    isObject: isService,
  })
}

/** The id of a project or organization may come from a variable or the profile. */
function adviceOn(collection: Collection): string {
  if (collection === 'organizations') return 'Check the id in the command, ANALYTICS_ORGANIZATION or the profile'
  if (collection !== 'projects') return 'Check the id, and the project or organization that it belongs to'
  return 'Check the id in the command, ANALYTICS_PROJECT or the profile; analytics projects list shows the projects of this key'
}

function laterPage(url: URL, detail = ''): string | undefined {
  const page = url.searchParams.get('page') ?? ''
  return /^([2-9]|[1-9]\d{1,8})$/.test(page) && /\bpage\b/i.test(detail) ? `Page ${page}` : undefined
}

function isPlain(detail: string | undefined): boolean {
  return detail === undefined || /^not[ _]found$/i.test(detail)
}

function withDetail(sentence: string, detail: string | undefined): string {
  return isPlain(detail) ? sentence : `${sentence}: ${detail}`
}

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
function namedObject(method: string, { pathname, searchParams }: URL): NamedObject | undefined {
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
