import { withoutUser } from '../../../api/base-url.ts'
import type { Profile } from '../../../config/resolve.ts'
import { settingRows } from '../../../config/settings.ts'
import { type Profiles, profileOf } from '../../../config/store.ts'
import { wordsOf } from '../../../text/shell-words.ts'
import type { Kind } from '../../../values/kinds.ts'

type StoredSetting = Exclude<keyof Profile, 'apiKey' | 'apiKeyCommand'>

const rows = settingRows.flatMap(([name, { profile, kind }]): (readonly [StoredSetting, Kind<unknown>])[] =>
  profile && name !== 'apiKey' && name !== 'apiKeyCommand' ? [[name as StoredSetting, kind]] : [],
)

export const storedKinds: ReadonlyMap<StoredSetting, Kind<unknown>> = new Map(rows)

export function storedValue(profile: Profile, name: StoredSetting): Profile[StoredSetting] {
  return name === 'baseUrl' && profile.baseUrl !== undefined ? withoutUser(profile.baseUrl) : profile[name]
}

/** Shows only the program of a key command, because its arguments may be secret. */
export function describeProfile(name: string, after: Profiles): readonly string[] {
  const profile = profileOf(after, name)
  const parts = [...storedKinds.keys()].flatMap(setting => {
    const value = storedValue(profile, setting)
    if (value === undefined || value === false) return []
    return [value === true ? labels[setting] : `${labels[setting]} ${value}`]
  })
  const use =
    after.current === name
      ? ['It is the profile in use']
      : [`It is not in use; for one command: --profile ${name}`, `From now on for all: analytics profiles use ${name}`]
  return [`It holds ${parts.join(', ')} and ${keyOf(profile.apiKeyCommand)}`, ...use]
}

const labels: Readonly<Record<StoredSetting, string>> = {
  baseUrl: 'base URL',
  project: 'project',
  organization: 'organization',
  output: 'output',
  safety: 'safety',
  maxDeletes: 'at most this many deletions',
  require: 'deletions require',
  headersFile: 'headers from',
  clientCert: 'client certificate',
  clientKey: 'client key',
  caFile: 'certificate authorities from',
  allowHttp: 'plain http allowed',
}

function keyOf(command: Profile['apiKeyCommand']): string {
  if (command === undefined) return 'the key; only you can read the file (0600)'
  return `the command that prints the key (${wordsOf(command)[0]}); the key itself is not stored`
}
