import type { Profile } from '../../profiles/resolve.ts'
import { type Profiles, profileOf } from '../../profiles/store.ts'
import { wordsOf } from '../../values/words.ts'

/** Of a key command it shows only the program, because its arguments may be secret. */
export function accountOf(name: string, after: Profiles): readonly string[] {
  const { baseUrl, project, organization, safety, maxDeletes, require, caFile, apiKeyCommand } = profileOf(after, name)
  const named = Object.entries({
    'base URL': baseUrl,
    project,
    organization,
    safety,
    'at most this many deletions': maxDeletes,
    'deletions require': require,
    'certificate authorities from': caFile,
  })
  const parts = named.flatMap(([what, value]) => (value === undefined ? [] : [`${what} ${value}`]))
  const use =
    after.current === name
      ? 'It is the profile in use'
      : `It is not in use: analytics profiles use ${name} changes that, --profile ${name} takes it for one command`
  return [`It holds ${parts.join(', ')} and ${keyOf(apiKeyCommand)}`, use]
}

function keyOf(command: Profile['apiKeyCommand']): string {
  if (command === undefined) return 'the key; only you can read the file (0600)'
  return `the command that prints the key (${wordsOf(command)[0]}); the key itself is not stored`
}
