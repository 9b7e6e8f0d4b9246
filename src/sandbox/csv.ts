import type { Dialect } from '../config/sandbox-variable.ts'
import { partsIn } from '../json/layout.ts'
import type { Reply } from './call.ts'
import { readMembers, stringOf } from './members.ts'

/** By the document, fields are columns, and nested values are JSON; servers make columns of nested values. */
export function csvAnswer(answer: Reply, dialect: Dialect): Reply {
  const rows = rowsOf(answer.body).map(row => (dialect === 'documented' ? readMembers(row) : spread(row)))
  const columns = [...new Set(rows.flatMap(row => [...row.keys()]))]
  const lines = [columns, ...rows.map(row => columns.map(column => textOf(row.get(column))))]
  return {
    ...answer,
    headers: { 'content-type': 'text/csv; charset=utf-8' },
    body: lines.map(line => `${line.map(cell).join()}\r\n`).join(''),
  }
}

function rowsOf(json: string): string[] {
  const envelope = readMembers(json)
  const list = envelope.get('results') ?? envelope.get('result') ?? json
  return list.startsWith('[') ? Array.from(partsIn(list), ([, row]) => row) : [list]
}

function spread(json: string, prefix = '', into = new Map<string, string>()): Map<string, string> {
  for (const [index, [named, part]] of Array.from(partsIn(json)).entries()) {
    const name = json.startsWith('[') ? String(index) : named
    if (/^[[{]/.test(part)) spread(part, `${prefix}${name}.`, into)
    else into.set(prefix + name, part)
  }
  return into
}

function textOf(json: string | undefined): string {
  return json === undefined || json === 'null' ? '' : (stringOf(json) ?? json)
}

function cell(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
