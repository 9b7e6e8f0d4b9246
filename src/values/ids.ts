/** The form of the ids of each resource (`service-api.md`, Common path parameters; `wild.md`, Lists). */
import { UsageError } from '../errors.ts'

export interface IdForm {
  /** Whose id it is, with its article. */
  readonly of: string
  /** What such an id is, in a sentence. */
  readonly is: string
  readonly pattern: RegExp
}

const uuid = '[\\da-f]{8}(?:-[\\da-f]{4}){3}-[\\da-f]{12}'
/** Longer numbers are no ids of anything: such a text would only fill the memory. */
const whole = '[1-9]\\d{0,99}'

function form(of: string, is: string, ...patterns: readonly string[]): IdForm {
  return { of, is, pattern: new RegExp(`^(?:${patterns.join('|')})$`, 'i') }
}

/** By the collection that stands before the id in a path. */
export const idForms = {
  persons: form('a person', 'a whole number or a UUID', whole, uuid),
  plugins: form('a plugin', 'a whole number', whole),
  event_definitions: form('an event definition', 'a UUID or a whole number', uuid, whole),
  projects: form('a project', 'a whole number or @current', whole, '@current'),
  organizations: form('an organization', 'a UUID or @current', uuid, '@current'),
} as const satisfies Readonly<Record<string, IdForm>>

export type Collection = keyof typeof idForms

export function isId(collection: Collection, text: string): boolean {
  return idForms[collection].pattern.test(text)
}

/** How else an object can be named, where its id is asked for: `--email` for what looks like an e-mail. */
export interface OtherNames {
  readonly email?: string
  /** For any other text. */
  readonly text?: string
}

/** Throws `UsageError` for a text that is no id of such an object; `where` names the line of a file that it is from. */
export function checkId(collection: Collection, text: string, names: OtherNames = {}, where = ''): string {
  if (isId(collection, text)) return text
  const { of, is } = idForms[collection]
  const shown = JSON.stringify(text.length > 60 ? `${text.slice(0, 57)}...` : text)
  throw new UsageError(`${where}${text.trim() === '' ? 'An empty text' : shown} is not the id of ${of}`, {
    hint: `${hintFor(text, names)}The id of ${of} is ${is}`,
  })
}

function hintFor(text: string, { email, text: name }: OtherNames): string {
  if (/^\d([.,]\d+)?E\+\d+$/i.test(text)) return 'A spreadsheet has rounded it: keep ids as text there. '
  if (/^".*"$/.test(text)) return 'Leave the quotes out, or give CSV with a column id. '
  if (email !== undefined && /^[^\s@,;]+@[^\s@,;]+$/.test(text)) return `It looks like an e-mail: use ${email}. `
  return name === undefined || /^\d*$/.test(text) ? '' : `For ${name}. `
}
