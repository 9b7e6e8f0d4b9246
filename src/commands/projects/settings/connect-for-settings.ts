import type { Connection, Context } from '../../../context.ts'
import { UsageError } from '../../../errors.ts'
import { encode } from '../../../json/exact.ts'
import type { DesiredState } from '../../../settings/read.ts'

/** Throws `UsageError`, before any request, if a setting or a variable holds the key in use. */
export async function connectForSettings(
  context: Context,
  settings: readonly { readonly desired: Pick<DesiredState, 'uses' | 'values'> }[],
): Promise<Connection> {
  const connection = await context.connect()
  for (const { file, line, field, variable, text } of settings.flatMap(({ desired }) => desired.uses)) {
    if (!(await connection.holdsKey(text))) continue
    throw new UsageError(`${file}:${line}: ${field} cannot be ${variable}: it holds the key in use`, {
      attr: field,
      hint: 'Take it from another variable',
    })
  }
  for (const [field, value] of settings.flatMap(({ desired }) => [...desired.values])) {
    if (!(await connection.holdsKey(encode(value)))) continue
    throw new UsageError(`${field} holds the key in use, which every project's members would see`, {
      attr: field,
      hint: 'Take it out of the settings',
    })
  }
  return connection
}
