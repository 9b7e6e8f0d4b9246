import { stateFolder } from '../config/folders.ts'
import { type Dialect, dialectIn } from '../config/settings.ts'
import { UsageError } from '../errors.ts'
import type { Clock, Host } from '../host.ts'
import type { Messages } from '../messages/messages.ts'
import type { SandboxRequest } from './call.ts'
import { personsIn } from './load.ts'
import { openStore } from './open-store.ts'
import { loadPerson, returningPerson } from './person-records.ts'
import { findProject } from './projects.ts'
import { route } from './router.ts'

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
  const { clock } = host
  const { database } = store
  const { key, project } = database.read(() => ({
    key: store.get('access', '', 1)?.key ?? '',
    project: findProject(store, '@current')?.id.toString(),
  }))
  const respond = (request: SandboxRequest) => route(request, key, { store, isObserved, now: clock.now() })

  return {
    respond,
    key,
    project,
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
