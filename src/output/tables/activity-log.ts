/** Activity log as observed on servers: `{user,activity,scope,item_id,detail,created_at}`. */

import type { Item } from '../../json/item.ts'
import { compile, elements, kindOf, members, stringIn } from '../../json/pick.ts'
import { isSecretName } from '../../secrets/secret-names.ts'
import type { RenderOptions } from '../document.ts'
import { cellOf } from '../table-parts/cell.ts'
import { differences, drawNotes, type FieldValues, type Note, plainNote } from '../table-parts/change-lines.ts'
import type { TableRows } from './table.ts'

const columns = ['created_at', 'user', 'activity', 'scope', 'item_id', 'detail.name']
const ofEntry = compile([...columns, 'user.email', 'user.first_name'])
const parts = compile(['activity', 'created_at', 'detail'])

export function isActivity(item: Item): boolean {
  const [activity, at] = parts.pick(item)
  return isText(activity) && at !== undefined
}

export function drawActivity(options: RenderOptions): TableRows {
  return {
    names: columns,
    kept: ['item_id', 'created_at', 'user'],
    row(item) {
      const values = ofEntry.pick(item)
      const user = values.slice(columns.length).find(isText)
      return columns.map((name, i) => cellOf((name === 'user' ? user : undefined) ?? values[i], name, options))
    },
    below(item) {
      return drawNotes(kindOf(item) === 'object' ? ofDetail(parts.pick(item)[2]) : [plainNote('', item)], options)
    },
  }
}

function isText(value: Item | undefined): boolean {
  return value !== undefined && kindOf(value) === 'string' && value.length > '""'.length
}

/** Input: `{name,changes:[…]}` and other members. */
function ofDetail(detail: Item | undefined): Note[] {
  if (!detail || !given(detail)) return []
  if (kindOf(detail) !== 'object') return [plainNote('detail', detail)]
  return members(detail).flatMap(([name, value]) => {
    if (name === 'name' || !given(value)) return []
    return name === 'changes' && kindOf(value) === 'array'
      ? elements(value).flatMap(ofChange)
      : [plainNote(name, value)]
  })
}

const known = ['type', 'action', 'field', 'before', 'after']

const signs = new Map<string, Note['sign']>([
  ['created', '+'],
  ['deleted', '-'],
  ['changed', '~'],
])

/** Input: `{type,action,field,before,after}`, all optional. */
function ofChange(change: Item): Note[] {
  const values = new Map(members(change))
  const action = textAt(values, 'action') ?? ''
  const name = textAt(values, 'field') ?? ''
  if (values.size === 0 || [...values.keys()].some(key => !known.includes(key))) return [plainNote('', change, name)]
  const before = given(values.get('before'))
  const after = given(values.get('after'))
  const sign = signs.get(action) ?? '~'
  if (!before && !after) return [{ sign, name, values: [values.get('action')], path: '' }]
  const aside = signs.has(action) || action === '' ? undefined : action
  const inside = isSecretName(name) ? [] : within(before, after)
  if (inside.length > 0) {
    return inside.map(note => ({ ...note, name: name === '' ? note.name : `${name}.${note.name}`, aside }))
  }
  // Some servers omit values that they do not store, so a missing value does not mean none.
  const areBoth = (before && after) || (sign === '~' && values.has('before') && values.has('after'))
  return [{ sign, name, aside, values: areBoth ? [before, after] : [before ?? after] }]
}

function within(before: Item | undefined, after: Item | undefined): Note[] {
  const areObjects = [before, after].every(value => !value || kindOf(value) === 'object')
  return areObjects ? differences(membersOf(before), membersOf(after)) : []
}

function membersOf(value: Item | undefined): FieldValues {
  return new Map(value && members(value))
}

function textAt(values: FieldValues, name: string): string | undefined {
  return stringIn(values.get(name))
}

function given(value: Item | undefined): Item | undefined {
  return value && kindOf(value) !== 'null' ? value : undefined
}
