/** `config.json`: the profiles, 0600 in a folder 0700, replaced atomically and never by two processes at once. */
import { chmodSync, lstatSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { UsageError } from '../errors.ts'
import type { Clock } from '../host.ts'
import { nearest } from '../values/nearest.ts'
import { locked } from './lock.ts'
import type { Profile } from './resolve.ts'

export interface Profiles {
  /** The one in use when nobody names another. */
  readonly current?: string
  readonly profiles: Readonly<Record<string, Profile>>
}

export function configFile(folder: string): string {
  return join(folder, 'config.json')
}

/** What the file holds; no file is no profiles. Throws `UsageError`, naming the path, for one that is damaged. */
export function readProfiles(folder: string): Profiles {
  const path = configFile(folder)
  const text = readIfThere(path)
  if (text === undefined) return { profiles: {} }
  try {
    return checked(JSON.parse(text))
  } catch (error) {
    throw new UsageError(`${path} is damaged, and was left as it is`, {
      hint: 'Mend it, or move it away and add the profiles again',
      cause: error,
    })
  }
}

/** The profile of a name. Throws `UsageError` where there is none, with the nearest that is. */
export function profileOf({ profiles }: Profiles, name: string): Profile {
  const found = Object.hasOwn(profiles, name) ? profiles[name] : undefined
  if (found) return found
  const near = nearest(name, Object.keys(profiles))
  throw new UsageError(`There is no profile ${JSON.stringify(name)}`, {
    hint: near ? `Did you mean ${near}?` : 'See analytics profiles list',
  })
}

/** Replaces what the file holds by what `change` makes of it, with every other writer kept waiting. */
export async function changeProfiles(
  folder: string,
  clock: Clock,
  random: () => number,
  change: (before: Profiles) => Profiles,
): Promise<void> {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  chmodSync(folder, 0o700)
  const path = configFile(folder)
  await locked(path, clock, random, async () => {
    if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()) {
      throw new UsageError(`${path} is a link, and keys are not written through links`, {
        hint: 'Put a plain file there',
      })
    }
    const after = change(readProfiles(folder))
    const { default: Conf } = await import('conf')
    const file = new Conf({
      cwd: folder,
      configName: 'config',
      configFileMode: 0o600,
      accessPropertiesByDotNotation: false,
    })
    file.store = { ...after }
    chmodSync(path, 0o600)
  })
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw new UsageError(`${path} cannot be read`, { hint: 'Check its owner and mode', cause: error })
  }
}

function checked(value: unknown): Profiles {
  const object = (one: unknown): one is Record<string, unknown> =>
    typeof one === 'object' && one !== null && !Array.isArray(one)
  if (!object(value)) throw new TypeError('not an object')
  const { current, profiles = {} } = value
  if (current !== undefined && typeof current !== 'string') throw new TypeError('current is not a name')
  if (!object(profiles) || !Object.values(profiles).every(object))
    throw new TypeError('profiles is not an object of objects')
  return { ...(current === undefined ? {} : { current }), profiles: profiles as Profiles['profiles'] }
}
