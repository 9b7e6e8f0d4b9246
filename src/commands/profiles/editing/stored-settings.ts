import { withoutUser } from '../../../api/base-url.ts'
import type { Profile } from '../../../profiles/resolve.ts'
import { settingRows } from '../../../profiles/settings.ts'
import type { Kind } from '../../../values/kinds.ts'

export type StoredSetting = Exclude<keyof Profile, 'apiKey' | 'apiKeyCommand'>

const rows = settingRows.flatMap(([name, { profile, kind }]): (readonly [StoredSetting, Kind<unknown>])[] =>
  profile && name !== 'apiKey' && name !== 'apiKeyCommand' ? [[name as StoredSetting, kind]] : [],
)

export const storedKinds: ReadonlyMap<StoredSetting, Kind<unknown>> = new Map(rows)

export function storedValue(profile: Profile, name: StoredSetting): Profile[StoredSetting] {
  return name === 'baseUrl' && profile.baseUrl !== undefined ? withoutUser(profile.baseUrl) : profile[name]
}
