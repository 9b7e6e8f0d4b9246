/** Stores the sandbox's records. Text is JSON, because SQLite ends a text at a NUL character. */
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
  /** Lists are sorted by these in descending order, then by id. */
  readonly position?: string
  /** Other names by which the record is found. */
  readonly names?: readonly string[]
}

/** Matches a record with this name, or with one that begins with `start` and then contains `text`, ignoring case. */
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

/** Version of the tables; a database of another version is reset. */
export const version = 5

/** `counts` is kept by triggers, because counting 100,000 rows takes longer than reading a page. */
export const schema = `
  CREATE TABLE counts (kind TEXT, scopeId TEXT, number INTEGER, PRIMARY KEY (kind, scopeId)) WITHOUT ROWID;
  ${tables.map(tableOf).join('')}
  PRAGMA user_version = ${version}`

function tableOf(table: Table): string {
  return `
  CREATE TABLE ${table} (id INTEGER PRIMARY KEY AUTOINCREMENT, scopeId TEXT, position TEXT, json TEXT);
  CREATE INDEX ${table}_order ON ${table} (scopeId, position, id);
  CREATE TABLE ${table}_names (scopeId TEXT, name TEXT, id INTEGER, PRIMARY KEY (scopeId, name, id)) WITHOUT ROWID;
  CREATE INDEX ${table}_names_of ON ${table}_names (id);
  CREATE TRIGGER ${table}_added AFTER INSERT ON ${table} BEGIN
    INSERT INTO counts VALUES ('${table}', new.scopeId, 1) ON CONFLICT DO UPDATE SET number = number + 1; END;
  CREATE TRIGGER ${table}_removed AFTER DELETE ON ${table} BEGIN
    UPDATE counts SET number = number - 1 WHERE kind = '${table}' AND scopeId = old.scopeId; END;`
}

export class Store {
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
  }

  get<T extends Table>(table: T, scopeId: string, id: number): Contents[T] | undefined {
    const row = this.#database.row<{ json: string }>(
      `SELECT json FROM ${table} WHERE id = ? AND scopeId = ?`,
      id,
      scopeId,
    )
    return row && recordIn(row)
  }

  find(table: Table, scopeId: string, name: string): number | undefined {
    const sql = `SELECT id FROM ${table}_names WHERE scopeId = ? AND name = ?`
    return this.#database.row<{ id: number }>(sql, scopeId, name)?.id
  }

  /** Newest first; `count` is the number of all selected records. */
  list<T extends Table>(table: T, scopeId: string, selection: Selection<T> = {}) {
    const { conditions = [], test, limit = -1, offset = 0 } = selection
    const { where, cells } = whereOf(table, scopeId, conditions)
    // Without the plus, SQLite scans the whole project in order.
    const order = `ORDER BY ${conditions.length > 0 ? '+' : ''}position DESC, id DESC`
    const sql = `SELECT json FROM ${table} WHERE ${where} ${order}`
    if (!test) {
      const records = this.#database
        .rows<{ json: string }>(`${sql} LIMIT ? OFFSET ?`, ...cells, limit, offset)
        .map(recordIn<T>)
      const counted =
        conditions.length > 0
          ? this.#database.row<Counted>(`SELECT count(*) AS number FROM ${table} WHERE ${where}`, ...cells)
          : this.#database.row<Counted>('SELECT number FROM counts WHERE kind = ? AND scopeId = ?', table, scopeId)
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
  put<T extends Table>(table: T, scopeId: string, { id, value, position = '', names = [] }: Row<T>): void {
    const sql = `INSERT INTO ${table} VALUES (?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET json = excluded.json`
    this.#database.run(sql, id, scopeId, position, encode(value))
    this.#database.run(`DELETE FROM ${table}_names WHERE id = ?`, id)
    for (const name of names) this.#database.run(`INSERT INTO ${table}_names VALUES (?, ?, ?)`, scopeId, name, id)
  }

  remove(table: Table, id: number): void {
    this.#database.run(`DELETE FROM ${table} WHERE id = ?`, id)
    this.#database.run(`DELETE FROM ${table}_names WHERE id = ?`, id)
  }

  clear(scopeId: string): void {
    for (const table of tables) {
      this.#database.run(`DELETE FROM ${table} WHERE scopeId = ?`, scopeId)
      this.#database.run(`DELETE FROM ${table}_names WHERE scopeId = ?`, scopeId)
    }
  }

  read<Result>(work: () => Result): Result {
    return this.#database.within('DEFERRED', work)
  }

  write<Result>(work: () => Result): Result {
    return this.#database.within('IMMEDIATE', work)
  }

  /** Writes all or nothing. Other writers wait for it, and it waits long for them. */
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

/** The value has this type, because this program wrote it. */
function recordIn<T extends Table>({ json }: { readonly json: string }): Contents[T] {
  return decode(json) as Contents[T]
}

function whereOf(table: Table, scopeId: string, conditions: readonly Lookup[]) {
  if (conditions.length === 0) return { where: 'scopeId = ?', cells: [scopeId] }
  const cells: (string | number)[] = []
  const parts = conditions.map(({ name, or }) => {
    const named = `SELECT id FROM ${table}_names WHERE scopeId = ?`
    cells.push(scopeId, name)
    if (!or) return `id IN (${named} AND name = ?)`
    cells.push(scopeId, or.start, `${or.start}\u{10ffff}`, or.start.length + 1, or.text)
    const contains = 'name > ? AND name < ? AND instr(lower(substr(name, ?)), lower(?)) > 0'
    return `id IN (${named} AND name = ? UNION ALL ${named} AND ${contains})`
  })
  return { where: parts.join(' AND '), cells }
}
