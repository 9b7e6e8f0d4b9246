import { stateFolder } from '../config/folders.ts'
import { type Dialect, dialectIn } from '../config/resolve.ts'
import type { Context } from '../context.ts'
import { UsageError } from '../errors.ts'
import type { Clock } from '../host.ts'
import type { Response } from '../http/message.ts'
import type { SandboxRequest } from './call.ts'
import { personsIn } from './load.ts'
import { openStore } from './open-store.ts'
import { loadPerson, returningPerson } from './person-records.ts'
import { findProject, organization } from './projects.ts'
import { route } from './router.ts'

interface Opening {
  readonly stateDir: string
  readonly isObserved: boolean
  readonly clock: Pick<Clock, 'now'>
  readonly notice: (text: string) => void
}

type Sandbox = Awaited<ReturnType<typeof openSandbox>>

export async function openSandbox({ stateDir, isObserved, clock, notice }: Opening) {
  const store = await openStore(stateDir, notice)
  const { database } = store
  const { key, project } = database.read(() => ({
    key: store.get('access', '', 1)?.key ?? '',
    project: findProject(store, '@current')?.id.toString(),
  }))
  const respond = (request: SandboxRequest) => route(request, key, { store, isObserved, now: clock.now() })

  return {
    respond,
    async send(request: SandboxRequest): Promise<Response> {
      const { status, headers, body } = respond(request)
      return { status, headers, body: Buffer.from(body) }
    },
    key,
    project,
    organization: organization.id,
    /** Returns the number of persons. Throws `UsageError` and loads none if a line is wrong. */
    async load(lines: Iterable<string> | AsyncIterable<string>, project?: string): Promise<number> {
      let count = 0
      await database.writeAll(async () => {
        const target = findProject(store, project ?? '@current')
        if (!target) throw new UsageError(`The sandbox has no project ${project ?? 'left'}`)
        const scopeId = String(target.id)
        for await (const person of personsIn(lines, clock.now())) {
          loadPerson(store, scopeId, isObserved ? returningPerson(store, scopeId, person) : person)
          count++
        }
      })
      return count
    },
    close: () => database.close(),
  }
}

/** With `--sandbox`, the variable still chooses the dialect. Throws `UsageError` for an unusable database. */
export function openOwnSandbox(
  { host, messages: { notice } }: Pick<Context, 'host' | 'messages'>,
  dialect: Dialect = dialectIn(host.env.ANALYTICS_SANDBOX) ?? 'documented',
): Promise<Sandbox> {
  return openSandbox({ stateDir: stateFolder(host), isObserved: dialect === 'observed', clock: host.clock, notice })
}
