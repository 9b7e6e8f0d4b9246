/** Stores records as JSON, because SQLite ends a text at a NUL character. */
import { decode, encode, isText, type Json, type JsonObject } from '../json/exact.ts'
import type { Database } from './database.ts'

export interface Person {
  readonly id: number
  readonly uuid: string
  readonly created_at: string
  readonly distinct_ids: readonly string[]
  readonly properties: JsonObject<Json>
}

interface Deletion extends Omit<Person, 'properties'> {
  readonly withEvents: boolean
  readonly verified_at: string | null
}

type Numbered = JsonObject<Json> & { readonly id: number }

export interface Contents {
  readonly projects: Numbered
  readonly plugins: Numbered
  readonly event_definitions: JsonObject<Json> & { readonly id: string }
  readonly persons: Person
  readonly deletions: Deletion
  readonly activity: JsonObject<Json> & { readonly item_id: string }
  readonly access: { readonly key: string }
}

type Table = keyof Contents

export function lookupName(kind: 'uuid' | 'distinct_id' | 'email', value: string): string {
  return kind === 'uuid' ? `uuid:${value.toLowerCase()}` : `${kind}:${JSON.stringify(value)}`
}

const namesOf = ({ uuid, distinct_ids: ids }: Pick<Person, 'uuid' | 'distinct_ids'>) => [
  lookupName('uuid', uuid),
  ...ids.map(id => lookupName('distinct_id', id)),
]

/** The names that `find` and `list` accept for each record. */
const lookupNames: { readonly [T in Table]: (record: Contents[T]) => readonly string[] } = {
  projects: () => [],
  plugins: () => [],
  event_definitions: ({ id }) => [id],
  persons(person) {
    const { email } = person.properties
    return [...namesOf(person), ...(isText(email) ? [lookupName('email', email)] : [])]
  },
  deletions: namesOf,
  activity: ({ item_id: id }) => [id],
  access: () => [],
}

export interface RecordSelection<T extends Table> {
  readonly names?: readonly string[]
  readonly test?: ((record: Contents[T]) => boolean) | undefined
  readonly limit?: number
  readonly offset?: number
}

interface Row {
  readonly id: number
  readonly json: string
}

export const version = 6

/** `counts` is kept by triggers, because counting 100,000 rows takes longer than reading a page. */
export const schema = `
  DROP TABLE IF EXISTS counts;
  CREATE TABLE counts (kind TEXT, scopeId TEXT, number INTEGER, PRIMARY KEY (kind, scopeId)) WITHOUT ROWID;
  ${Object.keys(lookupNames).map(tableOf).join('')}
  PRAGMA user_version = ${version}`

function tableOf(table: string): string {
  return `
  DROP TABLE IF EXISTS ${table};
  DROP TABLE IF EXISTS ${table}_names;
  CREATE TABLE ${table} (id INTEGER PRIMARY KEY AUTOINCREMENT, scopeId TEXT, position TEXT, json TEXT);
  CREATE INDEX ${table}_order ON ${table} (scopeId, position, id);
  CREATE TABLE ${table}_names (scopeId TEXT, name TEXT, id INTEGER, PRIMARY KEY (scopeId, name, id)) WITHOUT ROWID;
  CREATE INDEX ${table}_names_of ON ${table}_names (id);
  CREATE TRIGGER ${table}_added AFTER INSERT ON ${table} BEGIN
    INSERT INTO counts VALUES ('${table}', new.scopeId, 1) ON CONFLICT DO UPDATE SET number = number + 1; END;
  CREATE TRIGGER ${table}_removed AFTER DELETE ON ${table} BEGIN
    UPDATE counts SET number = number - 1 WHERE kind = '${table}' AND scopeId = old.scopeId;
    DELETE FROM ${table}_names WHERE id = old.id; END;`
}

/** All of its methods work within a transaction of the database. */
export class Store {
  readonly database: Database

  constructor(database: Database) {
    this.database = database
  }

  /** Undefined also for an id that is not a number. */
  get<T extends Table>(table: T, scopeId: string, id: string): Contents[T] | undefined {
    if (!/^\d{1,15}$/.test(id)) return undefined
    const [row] = this.database.rows<Row>(`SELECT json FROM ${table} WHERE id = ? AND scopeId = ?`, Number(id), scopeId)
    return row && recordIn(row)
  }

  /** The record with this name, and the number that `put` and `remove` take. */
  find<T extends Table>(table: T, scopeId: string, name: string) {
    const named = `SELECT id FROM ${table}_names WHERE scopeId = ? AND name = ?`
    const [row] = this.database.rows<Row>(`SELECT id, json FROM ${table} WHERE id = (${named})`, scopeId, name)
    return row && { number: row.id, record: recordIn<T>(row) }
  }

  /** Newest first. `count` includes the records beyond the limit. */
  list<T extends Table>(table: T, scopeId: string, selection: RecordSelection<T> = {}) {
    const { names = [], test, limit = -1, offset = 0 } = selection
    const named = `AND id IN (SELECT id FROM ${table}_names WHERE scopeId = ? AND name = ?)`
    const where = `scopeId = ? ${names.map(() => named).join(' ')}`
    const cells = [scopeId, ...names.flatMap(name => [scopeId, name])]
    // Without the plus, SQLite scans the whole project in order.
    const order = `ORDER BY ${names.length > 0 ? '+' : ''}position DESC, id DESC`
    const sql = `SELECT json FROM ${table} WHERE ${where} ${order}`
    if (!test) {
      const rows = this.database.rows<Row>(`${sql} LIMIT ? OFFSET ?`, ...cells, limit, offset)
      const counted =
        names.length > 0
          ? this.#numberIn(`SELECT count(*) AS number FROM ${table} WHERE ${where}`, ...cells)
          : this.#numberIn('SELECT number FROM counts WHERE kind = ? AND scopeId = ?', table, scopeId)
      return { count: counted, records: rows.map(recordIn<T>) }
    }
    let count = 0
    const records: Contents[T][] = []
    for (const row of this.database.each<Row>(sql, ...cells)) {
      const record = recordIn<T>(row)
      if (!test(record)) continue
      if (count >= offset && (limit < 0 || records.length < limit)) records.push(record)
      count++
    }
    return { count, records }
  }

  nextId(table: Table): number {
    return 1 + this.#numberIn('SELECT seq AS number FROM sqlite_sequence WHERE name = ?', table)
  }

  put<T extends Table>(table: T, scopeId: string, number: number, record: Contents[T]): void {
    const position = 'created_at' in record ? String(record.created_at) : ''
    const sql = `INSERT INTO ${table} VALUES (?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET json = excluded.json`
    this.database.run(sql, number, scopeId, position, encode(record))
    this.database.run(`DELETE FROM ${table}_names WHERE id = ?`, number)
    for (const name of lookupNames[table](record)) {
      this.database.run(`INSERT INTO ${table}_names VALUES (?, ?, ?)`, scopeId, name, number)
    }
  }

  remove(table: Table, number: number): void {
    this.database.run(`DELETE FROM ${table} WHERE id = ?`, number)
  }

  clear(scopeId: string): void {
    for (const table of Object.keys(lookupNames)) this.database.run(`DELETE FROM ${table} WHERE scopeId = ?`, scopeId)
  }

  #numberIn(sql: string, ...cells: (string | number)[]): number {
    return this.database.rows<{ readonly number: number }>(sql, ...cells)[0]?.number ?? 0
  }
}

/** The value has this type, because this program wrote it. */
function recordIn<T extends Table>({ json }: Row): Contents[T] {
  return decode(json) as Contents[T]
}

export function uuidOf(name: string): string {
  const digits = [1, 2, 3, 4].map(salt => hash(`${salt}:${name}`).toString(16).padStart(8, '0')).join('')
  return digits.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.*)$/, '$1-$2-4$3-8$4-$5')
}

/** FNV-1a with a final mix, 32 bits. */
export function hash(text: string): number {
  let sum = 0x811c9dc5
  for (let i = 0; i < text.length; i++) sum = Math.imul(sum ^ text.charCodeAt(i), 0x01000193)
  sum = Math.imul(sum ^ (sum >>> 16), 0x85ebca6b)
  sum = Math.imul(sum ^ (sum >>> 13), 0xc2b2ae35)
  return (sum ^ (sum >>> 16)) >>> 0
}
