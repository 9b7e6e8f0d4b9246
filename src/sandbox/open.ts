import type { Dialect } from '../config/sandbox-variable.ts'
import { UnavailableError, UsageError } from '../errors.ts'
import type { Clock } from '../host.ts'
import { bodyFrom, emptyBody } from '../http/body.ts'
import type { Response, Send } from '../http/message.ts'
import { type Asked, errorAnswer, type Reply } from './call.ts'
import { catchUp } from './records/batch.ts'
import { type Loaded, load } from './records/load.ts'
import { findProject, organization } from './records/projects.ts'
import { createRouter } from './router.ts'
import { openStore } from './store/open-store.ts'
import { readFact } from './store/store.ts'

interface Opening {
  readonly stateDir: string
  readonly dialect: Dialect
  readonly clock: Pick<Clock, 'now'>
}

export interface Sandbox {
  answer(asked: Asked): Reply
  readonly send: Send
  readonly key: string
  /** Undefined if all projects are deleted. */
  readonly project: string | undefined
  readonly organization: string
  load(rows: Iterable<string> | AsyncIterable<string>, project?: string): Promise<Loaded>
  close(): void
}

/** Throws `UsageError` for an unusable database. */
export async function openSandbox({ stateDir, dialect, clock }: Opening): Promise<Sandbox> {
  const store = await openStore(stateDir)
  const key = readFact(store, 'key') ?? ''
  const route = createRouter({ store, dialect, key })

  function answer(asked: Asked): Reply {
    try {
      catchUp(store, clock.now())
      return route(asked, clock.now())
    } catch (error) {
      if (!(error instanceof UnavailableError)) throw error
      return errorAnswer(503, { type: 'server_error', code: 'busy', detail: error.message }, { 'retry-after': '1' })
    }
  }

  function projectNamed(id?: string): string {
    const found = findProject(store, id ?? '@current')
    if (!found) throw new UsageError(`The sandbox has no project ${id ?? 'left'}`)
    return found.id
  }

  return {
    answer,
    send: async request => responseOf(answer(request)),
    key,
    project: findProject(store, '@current')?.id,
    organization: organization.id,
    async load(rows, project) {
      return load({ store, project: projectNamed(project), now: clock.now() }, rows)
    },
    close: () => store.close(),
  }
}

function responseOf({ status, body, headers }: Reply): Response {
  return { status, headers, body: body === '' ? emptyBody : bodyFrom([Buffer.from(body)]) }
}
