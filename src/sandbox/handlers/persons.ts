import type { Call, Handler } from '../call.ts'
import { selectionOf } from '../filters.ts'
import { page, uncountedPage, windowOf } from '../paging.ts'
import {
  listedPersonJson,
  nameProperties,
  newestFirst,
  type Person,
  personColumns,
  personJson,
  personOf,
} from '../persons.ts'
import type { Cell } from '../store.ts'

/** The most persons on one page: servers give some thousands. */
const most = 10_000

/** Reading persons. In the wild, lists are not counted and name a person by its UUID. */
export const personsReading = {
  list(call) {
    const window = windowOf(call, most)
    const { count, persons } = select(call, window)
    const naming = nameProperties(call.store, call.scope)
    if (call.dialect === 'documented') {
      return page(
        call,
        window,
        count,
        persons.map(person => personJson(person, naming)),
      )
    }
    return uncountedPage(
      call,
      window,
      count,
      persons.map(person => listedPersonJson(person, naming)),
    )
  },

  get(call) {
    const person = personOf(call)
    return { status: 200, body: [personJson(person, nameProperties(call.store, call.scope))] }
  },
} satisfies Record<string, Handler>

/** The persons of one page that pass the call's filters, and how many pass in all. */
function select(call: Call, { take, offset }: { take: number; offset: number }) {
  const { store } = call
  const { conditions, test } = selectionOf(call)
  const where = ['FROM persons WHERE project = ?', ...conditions.map(([sql]) => sql)].join(' AND ')
  const cells: Cell[] = [call.scope, ...conditions.flatMap(([, ...cells]) => cells)]
  if (test) {
    const passing = store
      .all<Pick<Person, 'id' | 'properties'>>(
        `SELECT CAST(id AS TEXT) AS id, properties ${where} ${newestFirst}`,
        ...cells,
      )
      .filter(({ properties }) => test(properties))
    const ids = JSON.stringify(passing.slice(offset, offset + take).map(({ id }) => id))
    const persons = store.all<Person>(
      `SELECT ${personColumns} FROM persons WHERE id IN (SELECT CAST(value AS INTEGER) FROM json_each(?)) ${newestFirst}`,
      ids,
    )
    return { count: passing.length, persons }
  }
  return {
    count: store.get<{ n: number }>(`SELECT count(*) AS n ${where}`, ...cells)?.n ?? 0,
    persons: store.all<Person>(
      `SELECT ${personColumns} ${where} ${newestFirst} LIMIT ? OFFSET ?`,
      ...cells,
      take,
      offset,
    ),
  }
}
