import { accessSync, constants, existsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { Failure, UsageError } from '../../errors.ts'
import { writableByOthers } from '../../files/permissions.ts'
import { isWindows } from '../../files/windows-files.ts'
import type { Host } from '../../host.ts'
import type { Settings } from '../../profiles/current.ts'
import { configFolder, stateFolder } from '../../profiles/folders.ts'
import { keySetting } from '../../profiles/key.ts'
import { type Setting, type SettingName, settings as table, variableOf } from '../../profiles/settings.ts'
import { configFile, readProfiles } from '../../profiles/store.ts'
import { countOf } from '../../text/grouped.ts'
import { shellWord, wordsOf } from '../../text/shell-words.ts'
import { type Finding, fail, ok, skip, warn } from './finding.ts'

function finding(check: string, look: () => Finding): Finding {
  try {
    return look()
  } catch (error) {
    if (error instanceof Failure) return fail(check, error)
    throw error
  }
}

/** When a major version of Node.js gets its last security fixes. */
const lastFixes: Readonly<Record<string, string>> = {
  20: '2026-04-30',
  22: '2027-04-30',
  24: '2028-04-30',
  26: '2029-04-30',
}

/** One line that fits into a bug report. */
export function program({ version, node, platform, clock }: Host): Finding {
  const what = `analytics ${version}, Node.js ${node}, ${platform}`
  const last = lastFixes[node.split('.')[0] ?? '']
  if (last === undefined || clock.now() <= Date.parse(`${last}T23:59:59Z`)) return ok('program', what)
  return warn(
    'program',
    what,
    `This Node.js has had no security fixes since ${last}: use a newer one, or a newer release of analytics`,
  )
}

/** The file may contain keys, so nobody else may read it. */
export function configuration(host: Host): Finding {
  return finding('configuration', () => {
    const folder = configFolder(host)
    const path = configFile(folder)
    if (!existsSync(path)) return notYet(path)
    const names = Object.keys(readProfiles(folder).profiles)
    for (const [kept, wanted] of [
      [path, 0o600],
      [folder, 0o700],
    ] as const) {
      const mode = statSync(kept).mode & 0o777
      if (!isWindows && (mode & 0o077) !== 0) {
        const octal = wanted.toString(8)
        return warn(
          'configuration',
          `${kept} is open to other users (0${mode.toString(8)})`,
          `chmod ${octal} ${shellWord(kept)}`,
        )
      }
    }
    return ok(
      'configuration',
      `${path}${isWindows ? '' : ' (0600)'} holds ${countOf(names.length, 'profile', 'profiles')}`,
    )
  })
}

/** No profiles are needed, but none can be added to a folder that others can write to. */
function notYet(path: string): Finding {
  const open = writableByOthers(path)
  const missing = `There is no ${path} yet`
  if (open === undefined) return skip('configuration', missing)
  return warn(
    'configuration',
    `${missing}, and other users can write to ${open}: no key is kept there`,
    `chmod go-w ${shellWord(open)}`,
  )
}

export function state(host: Host): Finding {
  return finding('state folder', () => {
    const folder = stateFolder(host)
    let there = folder
    while (!existsSync(there) && dirname(there) !== there) there = dirname(there)
    try {
      accessSync(there, constants.W_OK | constants.X_OK)
      if (!statSync(there).isDirectory()) throw new Error('Not a folder')
    } catch (cause) {
      throw new UsageError(`${folder} cannot be written`, {
        hint: `Check the owner and mode of ${there}, or name another folder in ANALYTICS_STATE_DIR`,
        cause,
      })
    }
    return ok('state folder', there === folder ? `${folder} can be written` : `${folder} can be created`)
  })
}

export function sourceOf(name: SettingName, { origins, profile }: Settings): string {
  const row: Setting = table[name]
  switch (origins[name]) {
    case 'option':
      return row.option ?? ''
    case 'environment':
      return variableOf(row)
    case 'profile':
      return `profile ${profile?.name}`
    default:
      return 'default'
  }
}

/** Never shows the key, and only the program of a key command. */
export function keySource(settings: Settings): string {
  const name = keySetting(settings)
  if (name === undefined) return 'none'
  const [program] = name === 'apiKeyCommand' ? wordsOf(settings.values.apiKeyCommand ?? '') : []
  return `from ${sourceOf(name, settings)}${program ? `, printed by ${program}` : ''}`
}
