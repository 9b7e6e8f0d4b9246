/** Columns with the name of a JSON text contain one; times are milliseconds unless they are text. */
import { seed } from './seed.ts'
import type { Store } from './store.ts'

const tables = `
  CREATE TABLE facts (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
  -- A record is the object's own JSON text, as \`get\` answers it.
  CREATE TABLE projects (id INTEGER PRIMARY KEY AUTOINCREMENT, uuid TEXT NOT NULL, record TEXT NOT NULL);
  CREATE TABLE plugins (id INTEGER PRIMARY KEY AUTOINCREMENT, organization TEXT NOT NULL, record TEXT NOT NULL,
    sources TEXT NOT NULL);
  CREATE TABLE event_definitions (id INTEGER PRIMARY KEY AUTOINCREMENT, uuid TEXT NOT NULL UNIQUE,
    project INTEGER NOT NULL, record TEXT NOT NULL);
  CREATE TABLE persons (id INTEGER PRIMARY KEY AUTOINCREMENT, project INTEGER NOT NULL, uuid TEXT NOT NULL,
    created_at TEXT NOT NULL, email TEXT, distinct_ids TEXT NOT NULL, properties TEXT NOT NULL);
  CREATE UNIQUE INDEX persons_by_uuid ON persons (project, uuid);
  CREATE INDEX persons_by_time ON persons (project, created_at, id);
  CREATE INDEX persons_by_email ON persons (project, email);
  CREATE TABLE distinct_ids (project INTEGER NOT NULL, distinct_id TEXT NOT NULL, person INTEGER NOT NULL,
    PRIMARY KEY (project, distinct_id)) WITHOUT ROWID;
  CREATE INDEX distinct_ids_by_person ON distinct_ids (person);
  -- Properties as they were before each change.
  CREATE TABLE earlier (id INTEGER PRIMARY KEY, person INTEGER NOT NULL, until TEXT NOT NULL, properties TEXT NOT NULL);
  CREATE INDEX earlier_by_person ON earlier (person);
  CREATE TABLE events (id INTEGER PRIMARY KEY, person INTEGER NOT NULL, timestamp TEXT NOT NULL);
  CREATE INDEX events_by_person ON events (person);
  -- Persons whose events the weekly batch removes.
  CREATE TABLE event_deletions (id INTEGER PRIMARY KEY, project INTEGER NOT NULL, person INTEGER NOT NULL,
    uuid TEXT NOT NULL, due INTEGER NOT NULL);
  -- Properties that were accepted and are not set yet.
  CREATE TABLE pending (id INTEGER PRIMARY KEY, person INTEGER NOT NULL, due INTEGER NOT NULL,
    properties TEXT NOT NULL);
  CREATE TABLE activity (id INTEGER PRIMARY KEY, scope TEXT NOT NULL, place TEXT NOT NULL, item TEXT NOT NULL,
    record TEXT NOT NULL);
  CREATE INDEX activity_by_item ON activity (scope, place, item);
`

/** Of the tables; a database of another version is not opened. */
export const version = 2

export function createTables(store: Store): void {
  store.script(`${tables}; PRAGMA user_version = ${version}`)
  seed(store)
}
