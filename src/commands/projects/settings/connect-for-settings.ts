import type { Connection, Context } from '../../../context.ts'
import { UsageError } from '../../../errors.ts'
import { encode } from '../../../json/exact.ts'
import type { DesiredState } from '../../../settings/read.ts'
import { readVariable } from '../../../settings/variables.ts'

/** Throws `UsageError`, before any request, if a setting or a variable holds the key in use. */
export async function connectForSettings(
  context: Context,
  settings: readonly { readonly desired: Pick<DesiredState, 'values'> }[],
  variables: readonly string[] = [],
): Promise<Connection> {
  const connection = await context.connect()
  for (const name of variables) {
    if (!(await connection.holdsKey(readVariable(context.host.env, name) ?? ''))) continue
    throw new UsageError(`--env ${name}: the variable holds the key in use`, { hint: 'Name another variable' })
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
