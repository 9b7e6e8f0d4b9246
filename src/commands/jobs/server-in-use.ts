import { baseUrl } from '../../api/address.ts'
import type { Context } from '../../cli/command.ts'
import { Failure } from '../../errors.ts'
import { settingsOf } from '../../profiles/current.ts'
import { sandboxBase } from '../../sandbox/base.ts'

/** The base URL that a request would go to; undefined where the settings name none, or cannot be used. */
export function serverInUse({ settings, host }: Context): string | undefined {
  if (settings.values.sandbox) return sandboxBase
  try {
    const { values } = settingsOf(settings.typed, host, true)
    return values.baseUrl && baseUrl(values.baseUrl, true).href
  } catch (error) {
    if (error instanceof Failure) return undefined
    throw error
  }
}
