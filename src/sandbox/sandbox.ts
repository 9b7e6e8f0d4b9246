import { type Dialect, dialectIn } from '../config/settings.ts'
import { UsageError } from '../errors.ts'
import { stateFolder } from '../files/platform.ts'
import type { Clock, Host } from '../host.ts'
import { decodeInput, isObject, isText, type Json, type JsonObject } from '../json/exact.ts'
import type { Messages } from '../messages/messages.ts'
import { isUuid } from '../values/ids.ts'
import { type Call, type SandboxRequest, timestamp } from './call.ts'
import { openStore } from './open-store.ts'
import { addPerson, findPerson } from './person-records.ts'
import { findProject } from './projects.ts'
import { route } from './router.ts'
import { lookupName, type Store } from './store.ts'

interface SandboxContext {
  readonly host: Pick<Host, 'env' | 'home' | 'cwd'> & { readonly clock: Pick<Clock, 'now'> }
  readonly messages: Pick<Messages, 'notice'>
}

/** With `--sandbox`, the variable still chooses the dialect. Throws `UsageError` for an unusable database. */
export async function openSandbox(
  { host, messages }: SandboxContext,
  dialect: Dialect = dialectIn(host.env.ANALYTICS_SANDBOX) ?? 'documented',
) {
  const store = await openStore(stateFolder(host), messages.notice)
  const isObserved = dialect === 'observed'
  const { database } = store
  const { key, project } = database.read(() => ({
    key: store.get('access', '', '1')?.key ?? '',
    project: findProject(store, '@current')?.id.toString(),
  }))
  const situation = () => ({ store, isObserved, now: host.clock.now() })

  return {
    respond: (request: SandboxRequest) => route(request, key, situation()),
    key,
    project,
    load: (lines: Lines, project?: string) => loadPersons(situation(), lines, project),
    close: () => database.close(),
  }
}

type Lines = Iterable<string> | AsyncIterable<string>

/** Returns the number of persons. Throws `UsageError` and loads none if a line is wrong. */
async function loadPersons(
  { store, isObserved, now }: Pick<Call, 'store' | 'isObserved' | 'now'>,
  lines: Lines,
  project: string | undefined,
): Promise<number> {
  let count = 0
  await store.database.writeAll(async () => {
    const target = findProject(store, project ?? '@current')
    if (!target) throw new UsageError(`The sandbox has no project ${project ?? 'left'}`)
    const scopeId = String(target.id)
    for await (const person of personsIn(lines, now)) {
      const uuid = person.uuid ?? (isObserved ? formerUuid(store, scopeId, person.distinct_ids) : undefined)
      const former = uuid === undefined ? undefined : findPerson(store, scopeId, uuid)?.id
      for (const id of new Set([former, person.id])) if (id !== undefined) store.remove('persons', id)
      addPerson(store, scopeId, { ...person, uuid, id: person.id ?? former })
      count++
    }
  })
  return count
}

/** Newer servers derive the UUID of a person from a distinct id, so a person who is created again has the same UUID. */
function formerUuid(store: Store, project: string, distinctIds: readonly string[]): string | undefined {
  const uuids = distinctIds.flatMap(
    id => store.find('deletions', project, lookupName('distinct_id', id))?.record.uuid ?? [],
  )
  return uuids.find(uuid => !findPerson(store, project, uuid))
}

export async function* personsIn(lines: Lines, now: number) {
  let number = 0
  for await (const line of lines) {
    number++
    if (line.trim() === '') continue
    const row = decodeInput(line, `Line ${number}: `)
    const person = isObject(row) ? personOrProblem(row, now) : 'it is not a JSON object'
    if (typeof person !== 'string') yield person
    else {
      const hint = 'Export with: analytics persons list --all -o ndjson'
      throw new UsageError(`Line ${number} is not a person: ${person}`, { hint })
    }
  }
}

function personOrProblem(row: JsonObject<Json>, now: number) {
  const { id, uuid = id, created_at: time = null, distinct_ids = [] } = row
  const properties = row.properties ?? {}
  if (!Array.isArray(distinct_ids) || !distinct_ids.every(isText)) return 'distinct_ids must be a list of strings'
  if (!isObject(properties)) return 'properties must be an object'
  if (time !== null && (!isText(time) || Number.isNaN(Date.parse(time)))) return 'created_at must be a date'
  if (row.uuid !== undefined && !(isText(uuid) && isUuid(uuid))) return 'uuid must be a UUID'
  const lowerUuid = isText(uuid) && isUuid(uuid) ? uuid.toLowerCase() : undefined
  if (lowerUuid === undefined && distinct_ids.length === 0) return 'it has neither a uuid nor distinct_ids'
  return {
    id: typeof id === 'number' && Number.isInteger(id) && id > 0 && id < 1e15 ? id : undefined,
    uuid: lowerUuid,
    // Lists are sorted by this text.
    created_at: time?.endsWith('Z') ? time : timestamp(time === null ? now : Date.parse(time)),
    distinct_ids: [...new Set(distinct_ids)],
    properties,
  }
}
