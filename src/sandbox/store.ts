/** The sandbox's records. Texts are stored as JSON, since SQLite ends a text at a NUL character. */
import { decode, encode, type Json, type JsonObject } from '../json/exact.ts'
import type { Database } from './database.ts'

export interface Person {
  readonly id: number
  readonly uuid: string
  readonly created_at: string
  readonly distinct_ids: readonly string[]
  readonly properties: JsonObject<Json>
}

/** Found by the UUID and the distinct ids of the deleted person. */
export interface Deletion {
  readonly id: number
  readonly uuid: string
  readonly distinct_ids: readonly string[]
  readonly created_at: string
  readonly withEvents: boolean
  /** When the events were gone; null until then. */
  readonly verified_at: string | null
}

type Numbered = JsonObject<Json> & { readonly id: number }

export interface Contents {
  readonly projects: Numbered
  readonly plugins: Numbered
  readonly event_definitions: JsonObject<Json> & { readonly id: string }
  readonly persons: Person
  readonly deletions: Deletion
  readonly activity: JsonObject<Json>
  /** The key, as the only record. */
  readonly access: { readonly key: string }
}

type Table = keyof Contents

interface Row<T extends Table> {
  readonly id: number
  readonly value: Contents[T]
  /** Lists are in falling order of these, then of ids. */
  readonly position?: string
  /** Other names by which the record is found. */
  readonly names?: readonly string[]
}

/** A record has this name, or one that begins with `start` and contains `text` after it, in upper or lower case. */
export interface Lookup {
  readonly name: string
  readonly or?: { readonly start: string; readonly text: string }
}

interface Selection<T extends Table> {
  readonly conditions?: readonly Lookup[]
  readonly test?: ((record: Contents[T]) => boolean) | undefined
  readonly limit?: number
  readonly offset?: number
}

type Counted = { readonly number: number }

const tables: readonly Table[] = [
  'projects',
  'plugins',
  'event_definitions',
  'persons',
  'deletions',
  'activity',
  'access',
]

/** Of the tables; a database of another version is not opened. */
export const version = 4

/** `counts` is kept by triggers, because counting 100,000 rows takes longer than reading a page. */
export const schema = `
  CREATE TABLE counts (kind TEXT, place TEXT, number INTEGER, PRIMARY KEY (kind, place)) WITHOUT ROWID;
  ${tables.map(tableOf).join('')}
  PRAGMA user_version = ${version}`

function tableOf(table: Table): string {
  return `
  CREATE TABLE ${table} (id INTEGER PRIMARY KEY AUTOINCREMENT, place TEXT, position TEXT, json TEXT);
  CREATE INDEX ${table}_order ON ${table} (place, position, id);
  CREATE TABLE ${table}_names (place TEXT, name TEXT, id INTEGER, PRIMARY KEY (place, name, id)) WITHOUT ROWID;
  CREATE INDEX ${table}_names_of ON ${table}_names (id);
  CREATE TRIGGER ${table}_added AFTER INSERT ON ${table} BEGIN
    INSERT INTO counts VALUES ('${table}', new.place, 1) ON CONFLICT DO UPDATE SET number = number + 1; END;
  CREATE TRIGGER ${table}_removed AFTER DELETE ON ${table} BEGIN
    UPDATE counts SET number = number - 1 WHERE kind = '${table}' AND place = old.place; END;`
}

export class Store {
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
  }

  get<T extends Table>(table: T, place: string, id: number): Contents[T] | undefined {
    const row = this.#database.row<{ json: string }>(`SELECT json FROM ${table} WHERE id = ? AND place = ?`, id, place)
    return row && recordIn(row)
  }

  find(table: Table, place: string, name: string): number | undefined {
    const sql = `SELECT id FROM ${table}_names WHERE place = ? AND name = ?`
    return this.#database.row<{ id: number }>(sql, place, name)?.id
  }

  /** The newest first; `count` is of all that are selected. */
  list<T extends Table>(table: T, place: string, selection: Selection<T> = {}) {
    const { conditions = [], test, limit = -1, offset = 0 } = selection
    const { where, cells } = whereOf(table, place, conditions)
    // Without the plus, SQLite goes through the whole project in order.
    const order = `ORDER BY ${conditions.length > 0 ? '+' : ''}position DESC, id DESC`
    const sql = `SELECT json FROM ${table} WHERE ${where} ${order}`
    if (!test) {
      const records = this.#database
        .rows<{ json: string }>(`${sql} LIMIT ? OFFSET ?`, ...cells, limit, offset)
        .map(recordIn<T>)
      const counted =
        conditions.length > 0
          ? this.#database.row<Counted>(`SELECT count(*) AS number FROM ${table} WHERE ${where}`, ...cells)
          : this.#database.row<Counted>('SELECT number FROM counts WHERE kind = ? AND place = ?', table, place)
      return { count: counted?.number ?? 0, records }
    }
    let count = 0
    const records: Contents[T][] = []
    this.#database.forEach<{ json: string }>(sql, cells, row => {
      const record = recordIn<T>(row)
      if (!test(record)) return
      if (count >= offset && (limit < 0 || records.length < limit)) records.push(record)
      count++
    })
    return { count, records }
  }

  nextId(table: Table): number {
    const row = this.#database.row<{ seq: number }>('SELECT seq FROM sqlite_sequence WHERE name = ?', table)
    return 1 + (row?.seq ?? 0)
  }

  /** Replaces the record with this id. */
  put<T extends Table>(table: T, place: string, { id, value, position = '', names = [] }: Row<T>): void {
    const sql = `INSERT INTO ${table} VALUES (?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET json = excluded.json`
    this.#database.run(sql, id, place, position, encode(value))
    this.#database.run(`DELETE FROM ${table}_names WHERE id = ?`, id)
    for (const name of names) this.#database.run(`INSERT INTO ${table}_names VALUES (?, ?, ?)`, place, name, id)
  }

  remove(table: Table, id: number): void {
    this.#database.run(`DELETE FROM ${table} WHERE id = ?`, id)
    this.#database.run(`DELETE FROM ${table}_names WHERE id = ?`, id)
  }

  clear(place: string): void {
    for (const table of tables) {
      this.#database.run(`DELETE FROM ${table} WHERE place = ?`, place)
      this.#database.run(`DELETE FROM ${table}_names WHERE place = ?`, place)
    }
  }

  read<Result>(work: () => Result): Result {
    return this.#database.within('DEFERRED', work)
  }

  write<Result>(work: () => Result): Result {
    return this.#database.within('IMMEDIATE', work)
  }

  /** All of it or nothing; other writers wait for its end, and it waits long for theirs. */
  async writeAll(work: () => Promise<void>): Promise<void> {
    this.#database.script('PRAGMA busy_timeout = 60000; BEGIN IMMEDIATE')
    try {
      await work()
      this.#database.script('COMMIT; PRAGMA wal_checkpoint(TRUNCATE)')
    } catch (error) {
      this.#database.rollBack()
      throw error
    }
  }

  close(): void {
    this.#database.close()
  }
}

/** This program wrote it. */
function recordIn<T extends Table>({ json }: { readonly json: string }): Contents[T] {
  return decode(json) as Contents[T]
}

function whereOf(table: Table, place: string, conditions: readonly Lookup[]) {
  if (conditions.length === 0) return { where: 'place = ?', cells: [place] }
  const cells: (string | number)[] = []
  const parts = conditions.map(({ name, or }) => {
    const named = `SELECT id FROM ${table}_names WHERE place = ?`
    cells.push(place, name)
    if (!or) return `id IN (${named} AND name = ?)`
    cells.push(place, or.start, `${or.start}\u{10ffff}`, or.start.length + 1, or.text)
    const contains = 'name > ? AND name < ? AND instr(lower(substr(name, ?)), lower(?)) > 0'
    return `id IN (${named} AND name = ? UNION ALL ${named} AND ${contains})`
  })
  return { where: parts.join(' AND '), cells }
}
