import { stateFolder } from '../config/folders.ts'
import { type Dialect, dialectIn } from '../config/settings.ts'
import type { Clock, Host } from '../host.ts'
import type { Messages } from '../messages/messages.ts'
import type { SandboxRequest } from './call.ts'
import { loadPersons } from './load.ts'
import { openStore } from './open-store.ts'
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
  const { database } = store
  const { key, project } = database.read(() => ({
    key: store.get('access', '', 1)?.key ?? '',
    project: findProject(store, '@current')?.id.toString(),
  }))
  const situation = () => ({ store, isObserved, now: host.clock.now() })

  return {
    respond: (request: SandboxRequest) => route(request, key, situation()),
    key,
    project,
    load(lines: Iterable<string> | AsyncIterable<string>, project?: string) {
      return loadPersons(situation(), lines, project)
    },
    close: () => database.close(),
  }
}
