import { answer, type Call, type Handler } from '../call.ts'
import { selectionOf } from '../filters.ts'
import { countedPage, uncountedPage, windowOf } from '../paging.ts'
import { newestFirst, type Person, personColumns, personOf, personWriter } from '../records/persons.ts'
import type { SqlValue } from '../store/driver.ts'

const mostPerPage = 10_000

export const personsReading = {
  list(call) {
    const window = windowOf(call, mostPerPage)
    const { count, persons } = select(call, window)
    const page = call.dialect === 'documented' ? countedPage : uncountedPage
    return page(call, window, count, persons.map(personWriter(call, 'item')))
  },

  get: call => answer(personWriter(call, 'record')(personOf(call))),
} satisfies Record<string, Handler>

function select(call: Call, { take, offset }: { take: number; offset: number }) {
  const { store } = call
  const { conditions, test } = selectionOf(call)
  // Without the hint, SQLite scans the whole project in list order.
  const index = conditions.some(([sql]) => sql === 'email = ?') ? ' INDEXED BY persons_by_email' : ''
  const where = [`FROM persons${index} WHERE project = ?`, ...conditions.map(([sql]) => sql)].join(' AND ')
  const cells: SqlValue[] = [call.scope, ...conditions.flatMap(([, ...cells]) => cells)]
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
  const counted = () => store.count(where, ...cells)
  return {
    // Counting a large project again for each page takes longer than reading the page.
    count: store.remembered(`count ${JSON.stringify([where, cells])}`, counted),
    persons: store.all<Person>(
      `SELECT ${personColumns} ${where} ${newestFirst} LIMIT ? OFFSET ?`,
      ...cells,
      take,
      offset,
    ),
  }
}
