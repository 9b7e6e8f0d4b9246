/** Draws two observed shapes of events over time, the activity log and property changes; others become tables. */

import type { Item } from '../../json/item.ts'
import { compile, elements, kindOf, members, textOf } from '../../json/pick.ts'
import { cut } from '../../text/cells.ts'
import type { Document, Renderer, RenderOptions } from '../document.ts'
import { nothing, textIn } from '../table-parts/cell.ts'
import { differences, drawNotes, type FieldValues, type Note, plainNote } from '../table-parts/change-lines.ts'
import { gap } from '../table-parts/columns.ts'
import { drawActivity, isActivity } from './activity-log.ts'
import { bold, chunk, plainRows, record, rowsOf, tableRenderer } from './table.ts'

/** Streams; fits the width of a terminal, and cuts nothing in a pipe. */
export const timelineRenderer: Renderer = (document, options) => {
  if (document.shape === 'object') return object(document, options)
  return rowsOf(document.batches, options, first =>
    first.some(isActivity) ? drawActivity(options) : plainRows(first, document.view, options),
  )
}

async function* object(document: Document, options: RenderOptions): AsyncGenerator<string | Uint8Array> {
  for await (const batch of document.batches) {
    for (const item of batch) {
      const points = pointsOf(item)
      if (points) yield* drawn(item, points, options)
      else yield* tableRenderer({ ...document, batches: [[item]] }, options)
    }
  }
}

const parts = compile(['points', 'crucial_property_keys'])
const ofPoint = compile(['timestamp', 'relevant_event_count', 'properties'])

function pointsOf(item: Item): Item[] | undefined {
  const [list] = parts.pick(item)
  const found = list ? elements(list) : []
  return found.some(point => ofPoint.pick(point).some(Boolean)) ? found : undefined
}

/** Draws other members first, then each point with its changes since the previous one. */
function* drawn(item: Item, points: readonly Item[], options: RenderOptions): Generator<string> {
  const around = members(item).filter(([name]) => name !== 'points')
  if (around.length > 0) yield `${record(around, options)}\n`
  const crucial = crucialIn(item)
  let before: FieldValues = new Map()
  for (let from = 0; from < points.length; from += chunk) {
    let lines = ''
    for (const point of points.slice(from, from + chunk)) {
      const after = propertiesOf(point) ?? before
      const notes = [...crucialFirst(differences(before, after), crucial), ...othersOf(point)]
      lines += `${headOf(point, options)}\n${drawNotes(notes, options)}`
      before = after
    }
    yield lines
  }
}

function crucialIn(item: Item): ReadonlySet<string> {
  const [, keys] = parts.pick(item)
  return new Set(keys && elements(keys).map(textOf))
}

function crucialFirst(notes: readonly Note[], crucial: ReadonlySet<string>): Note[] {
  const isCrucial = ({ name }: Note) => crucial.has(name)
  const first = notes.filter(isCrucial).map(note => ({ ...note, aside: 'crucial' }))
  return [...first, ...notes.filter(note => !isCrucial(note))]
}

function propertiesOf(point: Item): FieldValues | undefined {
  const [, , properties] = ofPoint.pick(point)
  return properties && kindOf(properties) === 'object' ? new Map(members(properties)) : undefined
}

function headOf(point: Item, options: RenderOptions): string {
  const [at, count] = ofPoint.pick(point)
  const events = textIn(count, 'relevant_event_count', options)
  const counted = events === nothing ? [] : [`${events} ${events === '1' ? 'event' : 'events'}`]
  const head = [textIn(at, 'timestamp', options), ...counted].join(gap)
  return bold((options.width === undefined ? head : cut(head, options.width)).trimEnd(), options)
}

function othersOf(point: Item): Note[] {
  if (kindOf(point) !== 'object') return [plainNote('', point)]
  return members(point).flatMap(([name, value]) => {
    const isShown = name === 'timestamp' || name === 'relevant_event_count' || kindOf(value) === 'null'
    return isShown || (name === 'properties' && kindOf(value) === 'object') ? [] : [plainNote(name, value)]
  })
}
