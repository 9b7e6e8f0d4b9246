import { decode, encode, isObject, type Json, type JsonObject } from '../json/exact.ts'
import type { Reply } from './call.ts'

/** Fields are columns, and nested values are JSON. */
export function csvOf(reply: Reply): Reply {
  const rows = rowsOf(decode(reply.body))
  const columns = [...new Set(rows.flatMap(row => Object.keys(row)))]
  const lines = [columns, ...rows.map(row => columns.map(column => textOf(row[column])))]
  return {
    ...reply,
    headers: { 'content-type': 'text/csv; charset=utf-8' },
    body: lines.map(line => `${line.map(cell).join()}\r\n`).join(''),
  }
}

function rowsOf(value: Json): readonly JsonObject<Json>[] {
  const isRow = (one: Json): one is JsonObject<Json> => isObject(one)
  if (!isObject(value)) return []
  const list = value.results ?? value.result
  return Array.isArray(list) ? list.filter(isRow) : [value]
}

function textOf(value: Json | undefined): string {
  if (value === null || value === undefined) return ''
  return typeof value === 'string' ? value : encode(value)
}

function cell(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
