import { endpointOf, rawEffectOf, removalBy } from '../../api/effects.ts'
import { refuseBeside } from '../../cli/options.ts'
import type { Context } from '../../context.ts'
import { UsageError } from '../../errors.ts'
import { anyBodyOf } from '../writing/body.ts'
import { addressIn } from './path.ts'

type Pair = readonly [string, string]

interface RawOptions {
  readonly param: readonly Pair[]
  readonly field: readonly Pair[]
  readonly body: string | undefined
  readonly include: boolean
  readonly paginate: boolean
}

/** Throws `UsageError` for requests that are not allowed, or not with these options. */
export async function parseRawRequest(
  { method: typed, path }: { readonly method: string; readonly path: string },
  { param, field, body: whole, include, paginate }: RawOptions,
  context: Context,
) {
  const method = methodOf(typed)
  if (include) {
    const { fields, output } = context.config.typed
    // With -o json, errors are JSON.
    const format = output === 'json' ? undefined : output
    const beside = { paginate, fields, output: format }
    refuseBeside('-i shows one answer unchanged', beside, 'Leave one of them out')
  }
  const address = addressIn(path)
  if (method !== 'GET' && address.template === '/') {
    throw new UsageError(`${method} / names nothing to change`, { hint: 'Check the path for an empty variable' })
  }
  const params = [...address.params, ...param]
  const row = endpointOf(method, address.template)
  const body = await anyBodyOf(context.host, row?.body ?? {}, { set: field, setJson: [], body: whole }, '--field')
  refuseTraps([...params, ...membersOf(body)])
  const removal = removalBy(method, address.template, body)
  if (removal === 'distinct ids') refuseWipe(body, context)
  if (method === 'GET' && body !== undefined) {
    throw new UsageError('GET takes no body', { hint: 'Give query parameters with --param' })
  }
  const write = { method, ...rawEffectOf(method, address.template, body) }
  if (paginate && write.effect !== 'read') {
    throw new UsageError(`--paginate reads, and ${method} does not`, { hint: 'Leave --paginate out' })
  }
  return { address, row, params, body, write, removal }
}

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

export function methodOf(typed: string): string {
  const method = typed.toUpperCase()
  if (methods.includes(method)) return method
  throw new UsageError(`${JSON.stringify(typed)} is not a method`, {
    hint: typed.includes('/') ? `Did you mean analytics api GET ${typed}?` : `Give one of ${methods.join(', ')}`,
  })
}

/** Servers look only whether these are there: `delete_events=false` deletes the events. */
const switches = ['delete_events', 'keep_person', 'delete_recordings']

/** Throws `UsageError` for what makes a server do something else than the request says. */
function refuseTraps(given: readonly (readonly [string, unknown])[]): void {
  for (const [name, value] of given) {
    if (name.toLowerCase() === '_method') {
      throw new UsageError(`${name} overrides the method`, { hint: 'Give that method as METHOD instead' })
    }
    if (!switches.includes(name) || value === 'true' || value === true) continue
    throw new UsageError(`Servers take any value of ${name} for true`, {
      hint: `Leave it out, or give ${name}=true`,
    })
  }
}

/** Servers treat an empty main distinct id, or one that is not text, as missing. */
function refuseWipe(body: unknown, { messages }: Context): void {
  const members = new Map(membersOf(body))
  const main = members.get('main_distinct_id')
  if (typeof main === 'string' && main.trim() !== '') return
  const listed = members.get('distinct_ids_to_split')
  if (Array.isArray(listed) && listed.length > 0) {
    messages.warn('Servers before June 2026 ignore distinct_ids_to_split, and take away all properties of the person')
    return
  }
  throw new UsageError('A split without main_distinct_id in its body takes away all properties of the person', {
    hint: 'Give --field main_distinct_id=ID to keep them there; analytics persons split ID --wipe-properties takes them away',
  })
}

function membersOf(body: unknown): [string, unknown][] {
  return typeof body === 'object' && body !== null ? Object.entries(body) : []
}
