import { closeSync, constants, rmSync } from 'node:fs'
import { join } from 'node:path'
import { Failure, UnavailableError } from '../errors.ts'
import { makePrivateFolder, openRegularFile } from '../files/regular-file.ts'
import { cannotWrite } from '../files/system-error.ts'
import { decode, isObject } from '../json/exact.ts'
import { type LockHost, locked } from '../locks/lock.ts'
import { timestamp } from './call.ts'
import company from './company.json'
import { DamagedError, Database } from './database.ts'
import { addPerson } from './person-records.ts'
import { addPlugin } from './plugins.ts'
import { addProject, organization } from './projects.ts'
import { Store, schema, uuidOf, version } from './store.ts'
import { logActivity } from './views.ts'

/** Recreates a database of another version with a notice. Throws `UsageError`, and `DamagedError` if the file is damaged. */
export function openStore(stateDir: string, notice: (text: string) => void): Promise<Store> {
  return openDatabase(stateDir, store => {
    const { database } = store
    if (database.read(() => versionOf(database)) === version) return
    database.write(() => {
      const former = versionOf(database)
      // Another process may have created it meanwhile.
      if (former === version) return
      if (former !== 0) notice('The sandbox of another version of analytics was reset')
      createCompany(store)
    })
  })
}

export async function resetStore(stateDir: string, host: LockHost): Promise<void> {
  const path = databasePath(stateDir)
  const reset = async () => {
    try {
      await recreate(stateDir)
    } catch (error) {
      if (!(error instanceof DamagedError)) throw error
      // The database is removed last, so that no process opens it with the log of another one.
      for (const end of ['-wal', '-shm', '-journal', '']) rmSync(path + end, { force: true })
      await recreate(stateDir)
    }
  }
  makePrivateFolder(stateDir)
  // Two resets must not remove each other's new file.
  await locked(path, host, reset).catch(unusable(path))
}

async function recreate(stateDir: string): Promise<void> {
  const { database } = await openDatabase(stateDir, store => store.database.write(() => createCompany(store)))
  database.close()
}

/** Random, since loaded data may be real. */
function newKey(): string {
  return `phx_sandbox_${Buffer.from(crypto.getRandomValues(new Uint8Array(16))).toString('hex')}`
}

function databasePath(stateDir: string): string {
  return join(stateDir, 'sandbox.db')
}

async function openDatabase(stateDir: string, prepare: (store: Store) => void): Promise<Store> {
  const path = databasePath(stateDir)
  const database = await openFile(stateDir, path).catch(unusable(path))
  try {
    database.script('PRAGMA busy_timeout = 10000')
    useWriteAheadLog(database)
    // A crash of the machine may lose the last changes; a crash of the program loses nothing.
    database.script('PRAGMA synchronous = NORMAL')
    const store = new Store(database)
    prepare(store)
    return store
  } catch (error) {
    database.close()
    throw database.failureOf(error)
  }
}

async function openFile(stateDir: string, path: string): Promise<Database> {
  makePrivateFolder(stateDir)
  // SQLite creates its other files with the mode of this one.
  closeSync(openRegularFile(path, constants.O_RDWR | constants.O_CREAT))
  return Database.open(path)
}

const unusable = (path: string) => (cause: unknown) => {
  const hint = 'Check the folder, or name another one in ANALYTICS_STATE_DIR'
  throw cause instanceof Failure ? cause : cannotWrite(`The sandbox's database ${path} cannot be used`, cause, hint)
}

/** Lets other processes read during a write. The file keeps this mode, so a busy file can be skipped. */
function useWriteAheadLog(database: Database): void {
  try {
    database.script('PRAGMA journal_mode = WAL')
  } catch (error) {
    if (!(database.failureOf(error) instanceof UnavailableError)) throw error
  }
}

function versionOf(database: Database): number {
  return database.rows<{ readonly user_version: number }>('PRAGMA user_version')[0]?.user_version ?? 0
}

const hour = 3600_000
const opening = Date.UTC(2026, 0, 5, 9)

/** Replaces all data by company.json: an invented bookshop and its lending library. */
function createCompany(store: Store): void {
  // A running server has printed the key, so it is kept.
  const former = versionOf(store.database) === version ? store.get('access', '', '1') : undefined
  store.database.script(schema)
  store.put('access', '', 1, former ?? { key: newKey() })
  for (const [index, { settings, persons, event_definitions: definitions }] of company.projects.entries()) {
    const { id } = addProject(store, { ...settings, ingested_event: true }, opening + index * 24 * hour)
    for (const record of definitions) {
      store.put('event_definitions', String(id), store.nextId('event_definitions'), record)
    }
    for (const [order, line] of persons.entries()) {
      // Distinct ids, then properties, as text: an import of JSON would round numbers.
      const [ids = '', properties = ''] = line.split(/ (.*)/s)
      const created_at = timestamp(opening + order * 47 * hour)
      const decoded = decode(properties)
      const person = { distinct_ids: ids.split(','), properties: isObject(decoded) ? decoded : {}, created_at }
      addPerson(store, String(id), person)
    }
  }
  for (const fields of company.plugins) addPlugin(store, fields)
  const shop = { store, scopeId: '1', now: opening + 2600 * hour }
  for (const id of [54, 55, 55]) {
    logActivity(shop, { scope: 'Person', id, activity: 'updated', name: uuidOf(`person ${id}`) })
  }
  const inOrganization = { store, scopeId: organization.id, now: opening }
  logActivity(inOrganization, { scope: 'Plugin', id: 3, activity: 'upgraded', name: 'GeoIP' })
}
