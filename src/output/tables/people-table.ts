import type { Item } from '../../json/item.ts'
import { compile, kindOf, members } from '../../json/pick.ts'
import type { Document, Renderer, RenderOptions } from '../document.ts'
import { isGroup, peopleIn } from '../people.ts'
import { undocumented } from '../views.ts'
import { plainRows, record, rowsOf, tableRenderer } from './table.ts'

export const peopleRenderer: Renderer = async function* (document, options) {
  const [first, batches] = await firstOf(document)
  const { shape, view } = document
  if (shape === 'list' && first.some(isGroup)) yield* groups({ shape, batches, view }, options)
  else if (shape === 'list' && first.some(peopleIn)) yield* rowsOf(batches, options, () => drawPersons(first, options))
  else yield* tableRenderer({ shape, batches, view: first.some(isPerson) ? view : undocumented }, options)
}

const marks = compile(['distinct_ids'])

function isPerson(item: Item): boolean {
  return kindOf(item) === 'object' && marks.pick(item)[0] !== undefined
}

async function* groups({ batches, view }: Document, options: RenderOptions): AsyncGenerator<string | Uint8Array> {
  let isFirst = true
  for await (const batch of batches) {
    for (const item of batch) {
      const people = isGroup(item) ? peopleIn(item) : undefined
      const others = people ? members(item).filter(([name]) => name !== 'people') : []
      const apart = others.length > 0 && people && people.length > 0
      yield `${isFirst ? '' : '\n'}${record(others, options)}${apart ? '\n' : ''}`
      const rows = people ? { batches: [people], view } : { batches: [[item]], view: undocumented }
      yield* tableRenderer({ shape: 'list', ...rows }, options)
      isFirst = false
    }
  }
}

const ofPerson = ['person.id', 'person.name', 'person.properties.email']

/** Items are `{person,appearances}`; other members follow the person. */
function drawPersons(batch: readonly Item[], options: RenderOptions) {
  const others = new Set(batch.flatMap(item => (kindOf(item) === 'object' ? members(item).map(([name]) => name) : [])))
  others.delete('person')
  const view = { columns: [...ofPerson, ...others], fields: [], id: 'person.id', names: ofPerson.slice(1) }
  return plainRows(batch, view, options)
}

async function firstOf({ batches }: Document): Promise<[readonly Item[], Document['batches']]> {
  const iterator = (async function* () {
    yield* batches
  })()
  const { value: first = [] } = await iterator.next()
  async function* all() {
    yield first
    yield* iterator
  }
  return [first, all()]
}
