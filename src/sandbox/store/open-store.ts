import { closeSync, constants, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { UnavailableError, UsageError } from '../../errors.ts'
import { makePrivateFolder } from '../../files/make-folder.ts'
import { openRegularFile } from '../../files/regular-file.ts'
import { reason, UnfitError } from './database-errors.ts'
import { loadDriver } from './driver.ts'
import { createTables, version } from './schema.ts'
import { keepFact, readFact, Store } from './store.ts'

/** Milliseconds. */
const busyTimeout = 10_000

function databasePath(stateDir: string): string {
  return join(stateDir, 'sandbox.db')
}

/** Throws `UnfitError` for a damaged file and for one of another version, otherwise `UsageError`. */
export async function openStore(stateDir: string): Promise<Store> {
  const store = await connect(stateDir)
  return closedOnError(store, () => {
    // Another process may have created it meanwhile.
    if (versionOf(store) !== version) store.write(() => createIfEmpty(store))
  })
}

/** Also replaces a damaged database, and one of another version; processes that use it see the new one. */
export async function resetStore(stateDir: string): Promise<void> {
  const store = await connect(stateDir).catch((error: unknown) => {
    if (!(error instanceof UnfitError)) throw error
    removeFiles(stateDir)
    return connect(stateDir)
  })
  await closedOnError(store, () => store.write(() => createAgain(store)))
  store.close()
}

async function connect(stateDir: string): Promise<Store> {
  const path = databasePath(stateDir)
  const open = await loadDriver()
  let store: Store
  try {
    makePrivateFolder(stateDir)
    // SQLite creates its other files with the mode of this one.
    closeSync(openRegularFile(path, constants.O_RDWR | constants.O_CREAT))
    store = new Store(path, open(path))
  } catch (error) {
    throw new UsageError(`The sandbox's database ${path} cannot be opened${reason(error)}`, {
      hint: 'Check the folder, or name another one in ANALYTICS_STATE_DIR',
      cause: error,
    })
  }
  return closedOnError(store, async () => {
    store.script(`PRAGMA busy_timeout = ${busyTimeout}`)
    // Not a prepared statement, which would keep a damaged file open, so that Windows could not remove it.
    store.script('PRAGMA schema_version')
    if (versionOf(store) !== version) await logAhead(store)
    // A crash of the machine may lose the last changes; a crash of the program loses nothing.
    store.script('PRAGMA synchronous = NORMAL')
  })
}

async function closedOnError(store: Store, work: () => void | Promise<void>): Promise<Store> {
  try {
    await work()
    return store
  } catch (error) {
    store.close()
    throw error
  }
}

function createIfEmpty(store: Store): void {
  const found = versionOf(store)
  if (found === version) return
  if (found !== 0 || tablesOf(store).length > 0) {
    throw new UnfitError(`The sandbox's database ${store.path} was made by another version of analytics`, {
      hint: 'analytics sandbox reset makes a new one; what was loaded into this one is lost then',
    })
  }
  createTables(store)
}

/** In one transaction, so that other processes never see an empty database. */
function createAgain(store: Store): void {
  const key = versionOf(store) === version ? readFact(store, 'key') : undefined
  store.script(
    tablesOf(store)
      .map(name => `DROP TABLE "${name.replaceAll('"', '""')}";`)
      .join('\n'),
  )
  createTables(store)
  // A running server has printed the key, so it is kept.
  if (key !== undefined) keepFact(store, 'key', key)
}

/** Throws `UsageError` if they cannot be removed: on Windows, while another program has them open. */
function removeFiles(stateDir: string): void {
  const path = databasePath(stateDir)
  try {
    for (const end of ['', '-wal', '-shm', '-journal']) rmSync(path + end, { force: true })
  } catch (cause) {
    throw new UsageError(`The sandbox's database ${path} is damaged and cannot be removed${reason(cause)}`, {
      hint: 'End the programs that use it, or name another folder in ANALYTICS_STATE_DIR',
      cause,
    })
  }
}

function versionOf(store: Store): number {
  return store.get<{ user_version: number }>('PRAGMA user_version')?.user_version ?? 0
}

function tablesOf(store: Store): string[] {
  const rows = store.all<{ name: string }>(
    "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'",
  )
  return rows.map(({ name }) => name)
}

/** The write-ahead log lets others read during a write; the file stores this setting. */
async function logAhead(store: Store): Promise<void> {
  for (let waited = 0; ; waited += 20) {
    try {
      store.get('PRAGMA journal_mode = WAL')
      return
    } catch (error) {
      // SQLite does not wait for this lock itself.
      if (!(error instanceof UnavailableError) || waited >= busyTimeout) throw error
      await setTimeout(20)
    }
  }
}
