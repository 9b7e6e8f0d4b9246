import { persons } from '../../api/endpoints.ts'
import { idOf } from '../../api/responses/record-identity.ts'
import { defineCommand, type OptionsOf, option, optionalArgument } from '../../cli/command.ts'
import { NotFoundError, RefusedError, UsageError } from '../../errors.ts'
import { holdsFirstIds } from '../../filters/check-rows.ts'
import type { Item } from '../../json/read-item.ts'
import { recordDocument, views } from '../../output/views.ts'
import { findAlone, findSimilar, type PersonReader } from '../../targets/person-lookups.ts'
import { nameKinds } from '../../targets/read-names.ts'
import type { PersonName } from '../../targets/source.ts'
import { checkId } from '../../values/ids.ts'
import { filled } from '../../values/kinds.ts'

const isEmail = (word: string) => word.includes('@')

export const onePerson = {
  args: {
    id: {
      ...optionalArgument('ID', 'id or email of the person'),
      check: (word: string) => isEmail(word) || checkId('persons', word, { text: 'a distinct id use --distinct-id' }),
    },
  },
  options: {
    distinctId: option(filled, 'ID', 'find the person with this distinct id'),
    email: option(filled, 'EMAIL', 'find the person with exactly this email'),
  },
}

export default defineCommand({
  summary: 'Show one person',
  details: 'Finds the person by id, email or distinct id.',
  ...onePerson,
  examples: [
    'persons get 1 # By id',
    'persons get ada@example.com # By email',
    'persons get --distinct-id ada -o json # By distinct id, as JSON',
  ],
  async run({ id }, options, context) {
    const named = requirePerson(id, options)
    const person = await readPerson(await context.connect(), named)
    return { data: recordDocument(person, views.person) }
  },
})

type NamedPerson = { readonly id: string } | PersonName

export function requirePerson(
  word: string | undefined,
  { email, distinctId }: OptionsOf<typeof onePerson.options>,
): NamedPerson {
  const names = [word, email, distinctId].filter(name => name !== undefined)
  if (names.length !== 1) {
    throw new UsageError(names.length === 0 ? 'No person given' : 'A person can be given in only one way', {
      hint: 'Use one of ID, --distinct-id and --email',
    })
  }
  if (distinctId !== undefined) return { by: 'distinctId', name: distinctId }
  if (word !== undefined && !isEmail(word)) return { id: word }
  return { by: 'email', name: word ?? email ?? '' }
}

async function readPerson(reader: PersonReader, person: NamedPerson): Promise<Item> {
  const record = (id: string) => reader.client.record(persons.get, { path: { project_id: reader.project(), id } })
  if ('id' in person) return record(person.id)
  const row = await findOnePerson(reader, person)
  return holdsFirstIds(row.value) ? record(idOf(row.value, 'persons')) : row
}

export async function findOnePerson(reader: PersonReader, person: PersonName): Promise<Item> {
  const rows = await findAlone(reader, person)
  // New persons shift the pages, so a list may contain a person twice.
  const [row, ...others] = new Map(rows.map(row => [idOf(row.value, 'persons'), row])).values()
  const { label } = nameKinds[person.by]
  if (row && others.length === 0) return row
  if (row) {
    throw new RefusedError(`Several persons have this ${label}`, {
      hint: 'Run analytics persons list to see them, then give one id',
    })
  }
  const { hint } = await findSimilar(reader, person)
  throw new NotFoundError(`No person with this ${label} was found${hint}`)
}
