/** Reads `config.json` without conf, to report a damaged file; conf writes it. */
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { AuthError, UsageError } from '../errors.ts'
import { configFolder, files, writableByOthers } from '../files/platform.ts'
import { makePrivateFolder, readRegularFile } from '../files/regular-file.ts'
import { cannotRead, cannotWrite, codeOf } from '../files/system-error.ts'
import type { Host } from '../host.ts'
import { decodeInput, isObject } from '../json/exact.ts'
import { nearest } from '../text/nearest.ts'
import { shellWord } from '../text/shell-words.ts'
import { type Profile, settingRows } from './settings.ts'

interface Profiles {
  readonly current: string | undefined
  readonly profiles: Readonly<Record<string, Profile>>
}

export function configFile(host: Host): string {
  return join(configFolder(host), 'config.json')
}

/** Drops unknown and invalid settings of `profileToRepair`, and then allows those of other profiles. Throws `UsageError` for a damaged file. */
export function readProfiles(host: Host, profileToRepair?: string): Profiles {
  const path = configFile(host)
  const text = readIfThere(path)
  if (text === undefined) return { current: undefined, profiles: {} }
  const refuse = (problem: string): never => {
    const hint = 'Repair the file, or move it away and add the profiles again'
    throw new UsageError(`${path} is damaged: ${problem}`, { hint })
  }
  const stored = decodeInput(text, `${path}: `)
  if (!isObject(stored)) return refuse('it does not hold a JSON object')
  const { current, profiles = {} } = stored
  if (current !== undefined && typeof current !== 'string') return refuse('current is not the name of a profile')
  if (!isObject(profiles)) return refuse('profiles is not an object')
  const read = Object.entries(profiles).map(([name, profile]) => {
    if (!isObject(profile)) return refuse(`profile ${name} is not an object`)
    const settings = Object.entries(profile)
    const invalid = settings.find(setting => !isValid(setting))
    // It may be a guard, so it is never skipped. The message does not repeat the value, which may be a key.
    if (invalid && profileToRepair === undefined) {
      throw new UsageError(`${path}: profile ${name} has an unknown or invalid setting: ${invalid[0]}`, {
        hint: `Remove it with: analytics profiles set ${shellWord(name)}`,
      })
    }
    return [name, name === profileToRepair ? Object.fromEntries(settings.filter(isValid)) : profile] as const
  })
  return { current, profiles: Object.fromEntries(read) }
}

function isValid([name, value]: readonly [string, unknown]): boolean {
  return settingRows.some(([known, { isInProfile, kind }]) => isInProfile && known === name && !kind.check(value))
}

export function profileOf({ profiles }: Profiles, name: string): Profile {
  const profile = Object.hasOwn(profiles, name) ? profiles[name] : undefined
  if (profile) return profile
  const near = nearest(name, Object.keys(profiles))
  throw new UsageError(`Profile ${JSON.stringify(name)} was not found`, {
    hint: near ? `Did you mean ${near}?` : 'See analytics profiles list',
  })
}

/** Throws `UsageError` for a name that is taken, needs quotes, or looks like an option or a path. */
export function checkNewName({ profiles }: Profiles, name: string): void {
  if (!/^[\w][\w.@-]{0,63}$/.test(name) || name === '__proto__') {
    throw new UsageError(`${JSON.stringify(name)} cannot be the name of a profile`, {
      hint: 'Use letters, digits, dots, dashes and underscores',
    })
  }
  if (!Object.hasOwn(profiles, name)) return
  throw new UsageError(`Profile ${name} exists already`, { hint: `Change it with: analytics profiles set ${name}` })
}

/** One process writes at a time. Throws `UsageError` if the file cannot be written. */
export async function changeProfiles(
  host: Host,
  change: (before: Profiles) => Profiles,
  profileToRepair?: string,
): Promise<void> {
  const [folder, path] = [configFolder(host), configFile(host)]
  try {
    makePrivateFolder(folder)
    refuseShared(host)
    const { locked } = await import('../locks/lock.ts')
    const { default: Conf } = await import('conf')
    await locked(path, host, () => {
      const after = change(readProfiles(host, profileToRepair))
      const text = JSON.stringify(after, null, '\t')
      const draft = `${path}.new`
      try {
        const options = { cwd: folder, configName: 'config.json', fileExtension: 'new', configFileMode: 0o600 }
        const file = new Conf({ ...options, clearInvalidConfig: true, serialize: () => text })
        file.store = { ...after }
        // On a disk that is nearly full, conf writes a part of the text and reports no error.
        const isWhole = readFileSync(draft, 'utf8') === text
        if (!isWhole) throw Object.assign(new Error(), { code: 'ENOSPC', syscall: 'write' })
        files.replace(draft, path)
      } finally {
        rmSync(draft, { force: true })
      }
    })
  } catch (error) {
    if (!(error instanceof Error && 'syscall' in error)) throw error
    throw cannotWrite(`${path} cannot be written`, error, 'Check the permissions of its folder')
  }
}

/** Throws `AuthError` if other users can write the file: they could send the key to their own server. */
export function refuseShared(host: Host): void {
  const path = writableByOthers(configFile(host))
  if (path === undefined) return
  throw new AuthError(`Other users can write to ${path}, so analytics does not use the keys in it`, {
    hint: `Check the file, then run: chmod go-w ${shellWord(path)}`,
  })
}

function readIfThere(path: string): string | undefined {
  try {
    return readRegularFile(path)
      .toString()
      .replace(/^\ufeff/, '')
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw cannotRead(path, error, 'Check the file and its permissions')
  }
}
