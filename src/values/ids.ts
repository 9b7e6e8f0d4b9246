/** Forms of the ids of each resource (the service's document, "Common path parameters"; `docs/servers.md`). */
import { UsageError } from '../errors.ts'
import { quoteText } from './kinds.ts'

const uuid = '[\\da-fA-F]{8}(?:-[\\da-fA-F]{4}){3}-[\\da-fA-F]{12}'
const whole = '[1-9]\\d{0,99}'

function form(of: string, is: string, patterns: readonly string[], list?: string) {
  const shownBy = list && `analytics ${list}`
  return { of, is, pattern: new RegExp(`^(?:${patterns.join('|')})$`), shownBy }
}

export const idForms = {
  persons: form('a person', 'a whole number or a UUID', [whole, uuid], 'persons list'),
  plugins: form('a plugin', 'a whole number', [whole], 'plugins list'),
  event_definitions: form('an event definition', 'a UUID or a whole number', [uuid, whole], 'event-definitions list'),
  projects: form('a project', 'a whole number or @current', [whole, '@current'], 'projects list'),
  organizations: form('an organization', 'a UUID or @current', [uuid, '@current']),
  /** Batch requests do not accept numbers. */
  person_uuids: form('a person for --batch', 'a UUID', [uuid], 'persons list --fields=uuid'),
}

export type IdKind = keyof typeof idForms

export type Collection = Exclude<IdKind, 'person_uuids'>

export function isId(kind: IdKind, text: string): boolean {
  return idForms[kind].pattern.test(text)
}

export function isUuid(text: string): boolean {
  return isId('person_uuids', text)
}

/** Throws `UsageError` for `@current`, which depends on the project that its user last opened. */
export function refuseCurrentProject(project: string): void {
  if (project !== '@current') return
  throw new UsageError('A delete needs the id of the project: @current could be a different project than you expect', {
    hint: 'analytics projects get @current shows its id',
  })
}

export type OtherNames = Readonly<Partial<Record<'email' | 'text' | 'list', string>>>

/** For a command without options for them. */
const namesOfPersons: OtherNames = {
  email: 'the id that analytics persons get --email EMAIL -o ids shows',
  text: 'a distinct id use the id that analytics persons get --distinct-id ID -o ids shows',
}

export function checkId(
  kind: IdKind,
  text: string,
  names: OtherNames = kind === 'persons' ? namesOfPersons : {},
): string {
  if (isId(kind, text)) return text
  const shown = text.trim() === '' ? 'An empty value' : quoteText(text)
  throw new UsageError(`${shown} is not the id of ${idForms[kind].of}`, { hint: idHint(kind, text, names) })
}

export function idHint(kind: IdKind, text: string, { email, text: name, list }: OtherNames): string {
  const { of, is, shownBy } = idForms[kind]
  const form = `The id of ${of} is ${is}`
  if (email !== undefined && /^[^\s@,;]+@[^\s@,;]+$/.test(text)) {
    return `This looks like an email: use ${email}. ${form}`
  }
  if (list !== undefined && /^(-|@.+|.+\.(txt|csv|json|ndjson|jsonl))$/i.test(text)) {
    return `For a list use ${list}. ${form}`
  }
  if (name !== undefined && !/^(\d*|[\d.,]+E\+\d+)$/i.test(text)) return `For ${name}. ${form}`
  return shownBy ? `${form}: see ${shownBy}` : form
}
