import type { Item } from '../json/item.ts'
import type { Document, View } from './document.ts'

export function listDocument(rows: readonly object[], view: View): Document {
  return { shape: 'list', batches: [rows.map(itemOf)], view }
}

export function objectDocument(row: object, view: View): Document {
  return { shape: 'object', batches: [[itemOf(row)]], view }
}

export function itemOf(row: object): Item {
  return Buffer.from(JSON.stringify(row))
}
