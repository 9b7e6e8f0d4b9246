import { idOf } from '../../api/answers/record-identity.ts'
import { persons } from '../../api/endpoints.ts'
import { holdsFirstIds } from '../../api/select-rows.ts'
import { personNames } from '../../cli/arguments.ts'
import { NotFoundError, RefusedError, UsageError } from '../../errors.ts'
import type { Item } from '../../json/item.ts'
import { openPersons, type PersonReader } from '../../targets/list-persons.ts'
import { unseenIn } from '../../text/unseen-character.ts'
import { checkId } from '../../values/ids.ts'
import { checkFilters } from './filters.ts'

interface PersonName {
  readonly email: string | undefined
  readonly distinctId: string | undefined
}

/** Throws `UsageError` unless the word is an id or an e-mail. */
export function checkPerson(word: string): unknown {
  return isEmail(word) || checkId('persons', word, personNames)
}

/** No id of a person has an `@`. */
function isEmail(word: string): boolean {
  return word.includes('@')
}

interface OnePerson extends PersonName {
  readonly id: string | undefined
}

/** An e-mail in the place of an id is the same as `--email`. Throws `UsageError` unless a person is named in one way. */
export function personNamed(word: string | undefined, option: PersonName): OnePerson {
  const ways = [word, option.email, option.distinctId].filter(way => way !== undefined)
  if (ways.length !== 1) {
    throw new UsageError(ways.length === 0 ? 'No person given' : 'A person is named in one way only', {
      hint: 'Give an id, or --distinct-id, or --email',
    })
  }
  checkFilters(option)
  if (word === undefined) return { id: undefined, ...option }
  return isEmail(word)
    ? { id: undefined, email: word, distinctId: undefined }
    : { id: word, email: undefined, distinctId: undefined }
}

/** Returns the record. Throws `NotFoundError`. */
export async function readPerson(reader: PersonReader, { id, ...name }: OnePerson): Promise<Item> {
  if (id !== undefined) return reader.client.record(persons.get, { path: { project_id: reader.project(), id } })
  const { row, record } = await findNamedPerson(reader, name)
  return holdsFirstIds(row.value) ? record() : row
}

interface NamedPerson {
  readonly id: string
  /** The list item, with at most the first 1,000 distinct ids. */
  readonly row: Item
  record(): Promise<Item>
}

export async function findNamedPerson({ client, project }: PersonReader, name: PersonName): Promise<NamedPerson> {
  // New persons shift the pages, so a list may contain a person twice.
  const found = new Map<string, Item>()
  const records = new Map<string, Item>()
  const rows = openPersons(
    { client, project },
    { ...name, property: [] },
    { hint: 'Give the id', onRecord: (id, record) => records.set(id, record) },
  )
  for await (const batch of rows.batches) {
    for (const item of batch) found.set(idOf(item.value, 'persons'), item)
    if (found.size > 1) {
      throw new RefusedError('More than one person fits', {
        hint: 'List them with analytics persons list, then give one id',
      })
    }
  }
  const [[id, row] = []] = found
  if (id !== undefined && row) {
    const path = { project_id: project(), id }
    return { id, row, record: async () => records.get(id) ?? client.record(persons.get, { path }) }
  }
  if (name.email === undefined) {
    throw new NotFoundError(`No person has that distinct id${unseenIn(name.distinctId ?? '')}`)
  }
  throw new NotFoundError(`No person has that e-mail${unseenIn(name.email)}`, {
    hint: 'E-mails are compared letter by letter, upper and lower case included',
  })
}
