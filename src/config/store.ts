import { lstatSync, readFileSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { AuthError, UsageError } from '../errors.ts'
import { makePrivateFolder } from '../files/make-folder.ts'
import { writableByOthers } from '../files/permissions.ts'
import { replaceFile } from '../files/private-file.ts'
import { cannotRead, cannotWrite, codeOf } from '../files/system-error.ts'
import { decodeGiven, isObject, plain } from '../json/exact.ts'
import { Malformed } from '../json/malformed.ts'
import type { LockHost } from '../locks/lock.ts'
import { nearest } from '../text/nearest.ts'
import { shellWord } from '../text/shell-words.ts'
import type { Profile } from './resolve.ts'
import { settingRows } from './settings.ts'

export interface Profiles {
  readonly current?: string
  readonly profiles: Readonly<Record<string, Profile>>
}

export function configFile(folder: string): string {
  return join(folder, 'config.json')
}

/** Throws `UsageError` with the path for a damaged file; a missing file means no profiles. */
export function readProfiles(folder: string): Profiles {
  const path = configFile(folder)
  const text = readIfThere(path)
  if (text === undefined) return { profiles: {} }
  const damaged = `${path} is damaged, and was left as it is: `
  const stored = parsed(text, damaged)
  const problem = problemIn(stored)
  if (problem === undefined) return { profiles: {}, ...(stored as Partial<Profiles>) }
  throw new UsageError(`${damaged}${problem}`, { hint: 'Repair it, or move it away and add the profiles again' })
}

export function profileOf({ profiles }: Profiles, name: string): Profile {
  const found = Object.hasOwn(profiles, name) ? profiles[name] : undefined
  if (found) return found
  const near = nearest(name, Object.keys(profiles))
  throw new UsageError(`There is no profile ${JSON.stringify(name)}`, {
    hint: near ? `Did you mean ${near}?` : 'See analytics profiles list',
  })
}

/** One process writes at a time. Throws `UsageError` if the file cannot be written. */
export async function changeProfiles(
  folder: string,
  locking: LockHost,
  change: (before: Profiles) => Profiles,
): Promise<Profiles> {
  const path = configFile(folder)
  const { default: Conf } = await import('conf')
  try {
    makePrivateFolder(folder)
    refuseShared(folder)
    const { locked } = await import('../locks/lock.ts')
    return await locked(path, locking, () => {
      if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()) {
        throw new UsageError(`${path} is a link, and keys are not written through links`, {
          hint: 'Put a plain file there',
        })
      }
      const after = change(readProfiles(folder))
      // If the variable SNAP is set, conf overwrites the file in place, and a full disk would destroy it.
      replaceFile(path, cwd => {
        const text = JSON.stringify(after, null, '\t')
        const file = new Conf({
          cwd,
          configName: basename(path, '.json'),
          configFileMode: 0o600,
          serialize: () => text,
        })
        file.store = { ...after }
        // On a disk that is nearly full, conf writes a part of the text and reports no error.
        if (readFileSync(file.path, 'utf8') !== text)
          throw Object.assign(new Error(), { code: 'ENOSPC', syscall: 'write' })
      })
      return after
    })
  } catch (error) {
    if (!(error instanceof Error && 'syscall' in error)) throw error
    throw cannotWrite(`${path} cannot be written`, error, 'Check the owner and mode of its folder')
  }
}

/** Throws `AuthError` if other users can write the file: they could send the key to their own server. */
export function refuseShared(folder: string): void {
  const path = writableByOthers(configFile(folder))
  if (path === undefined) return
  throw new AuthError(`Other users of this machine can write to ${path}, so no key is kept in it or taken from it`, {
    hint: `Run chmod go-w ${shellWord(path)}, after a look at what it holds`,
  })
}

function readIfThere(path: string): string | undefined {
  try {
    // Devices and pipes may be endless.
    if (statSync(path).isFile()) return readFileSync(path, 'utf8').replace(/^\ufeff/, '')
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw cannotRead(path, error, 'Check its owner and mode')
  }
  throw new UsageError(`${path} is not a file`, { hint: 'Move away what is in its place' })
}

function parsed(text: string, damaged: string): unknown {
  try {
    return plain(decodeGiven(text, damaged))
  } catch (error) {
    if (error instanceof Malformed) return undefined
    throw error
  }
}

function problemIn(stored: unknown): string | undefined {
  if (!isObject(stored)) return 'it does not hold a JSON object'
  const { current, profiles = {} } = stored
  if (current !== undefined && typeof current !== 'string') return 'current is not a name'
  if (!isObject(profiles)) return 'profiles is not an object'
  for (const [name, profile] of Object.entries(profiles)) {
    const problem = isObject(profile) ? problemOf(profile) : 'is not an object'
    if (problem) return `profile ${name} ${problem}`
  }
  return undefined
}

/** A mistyped safety level or limit must not count as none. */
function problemOf(profile: Readonly<Record<string, unknown>>): string | undefined {
  for (const name of Object.keys(profile)) {
    const meant = stored.includes(name) ? undefined : nearest(name, stored)
    if (meant) return `has a member ${JSON.stringify(name)} that is not known; did you mean ${meant}?`
  }
  for (const [name, row] of settingRows) {
    const value = row.profile ? profile[name] : undefined
    const problem = value === undefined ? undefined : row.kind.check(value)
    if (problem) return row.secret ? `has an ${name} that is not text` : `has a ${name} that cannot be: ${problem}`
  }
  return undefined
}

const stored: readonly string[] = settingRows.flatMap(([name, row]) => (row.profile ? [name] : []))
