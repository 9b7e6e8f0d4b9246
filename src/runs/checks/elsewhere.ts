/** Jobs and plans may run only where they were made. */
import type { Connection } from '../../context.ts'
import { RefusedError, UsageError } from '../../errors.ts'
import { pathIn } from '../../operations/collections.ts'
import { rowOf } from '../../operations/operation.ts'
import { isOperationName, type OperationName } from '../../operations/operation-form.ts'
import { sandboxBase } from '../../values/url.ts'
import { fixScope } from '../place.ts'

interface Made {
  readonly command: string
  readonly base: string
  readonly path: Readonly<Record<string, string>>
  readonly profile?: string | null | undefined
}

/** Throws `RefusedError` for another server, project or organization. Returns the connection with the compared ids. */
export async function refuseElsewhere(
  connection: Connection,
  made: Made,
  what: string,
  verb: 'Resume' | 'Run' | 'Undo',
): Promise<Connection> {
  const { fact, fixed } = await compared(connection, made)
  if (!fact) return fixed
  const { called, here, there } = fact
  const [, nouns] = rowOf({ command: operationName(made) }).noun
  throw new RefusedError(
    `${what} changes ${nouns} of ${called} ${there ?? 'none'}, not of ${called} ${here ?? 'none'}`,
    { hint: `${verb} it with ${optionFor(fact, made)}` },
  )
}

function optionFor({ name, option, there }: Differing, { profile }: Made): string {
  if (there === sandboxBase) return '--sandbox'
  // The key of another profile must not be sent to that base URL.
  if (name === 'base' && profile) return `--profile ${profile}, or with ${option} ${there}`
  return `${option} ${there}`
}

function operationName({ command }: Made): OperationName {
  if (isOperationName(command)) return command
  throw new UsageError(`This version has no operation ${JSON.stringify(command)}`)
}

const server = { name: 'base', called: 'server', option: '--base-url' }

const scopes = [
  { name: 'project_id', called: 'project', option: '--project' },
  { name: 'parent_lookup_organization_id', called: 'organization', option: '--organization' },
]

type Differing = NonNullable<Awaited<ReturnType<typeof differing>>>

export async function differing(connection: Connection, made: Made) {
  return (await compared(connection, made)).fact
}

async function compared(connection: Connection, made: Made) {
  const base = connection.client.base.href
  type Scope = Readonly<Record<string, string | undefined>>
  // Only the same server knows the organization.
  if (base !== made.base) return { fixed: connection, fact: { ...server, here: base, there: made.base } }
  const request = { command: operationName(made) }
  const fixed = await fixScope(connection, request)
  const here: Scope = await pathIn(fixed, rowOf(request))
  const there: Scope = made.path
  const fact = scopes.find(({ name }) => here[name] !== there[name])
  return { fixed, fact: fact && { ...fact, here: here[fact.name], there: there[fact.name] } }
}
