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
    const all = store.all<Person>(`SELECT ${personColumns} ${where} ${newestFirst}`, ...cells)
    const passing = all.filter(({ properties }) => test(properties))
    return { count: passing.length, persons: passing.slice(offset, offset + take) }
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
