import { UnavailableError, UsageError } from '../errors.ts'
import type { Clock } from '../host.ts'
import { bodyFrom, emptyBody } from '../http/body.ts'
import type { Response, Send } from '../http/message.ts'
import { type Asked, errorAnswer, type Reply } from './call.ts'
import { personsIn } from './load.ts'
import { openStore } from './open-store.ts'
import { loadPerson } from './person-records.ts'
import { findProject, organization } from './projects.ts'
import { answerOf } from './router.ts'

interface Opening {
  readonly stateDir: string
  readonly isObserved: boolean
  readonly clock: Pick<Clock, 'now'>
}

export interface Sandbox {
  answer(asked: Asked): Reply
  readonly send: Send
  readonly key: string
  /** The first one; undefined if all are deleted. */
  readonly project: string | undefined
  readonly organization: string
  /** Returns how many persons were loaded. Throws `UsageError`, and has then loaded none. */
  load(lines: Iterable<string> | AsyncIterable<string>, project?: string): Promise<number>
  close(): void
}

/** Throws `UsageError` for an unusable database. */
export async function openSandbox({ stateDir, isObserved, clock }: Opening): Promise<Sandbox> {
  const store = await openStore(stateDir)
  const key = store.get('access', '', 1)?.key ?? ''
  const place = { store, isObserved, key }

  function answer(asked: Asked): Reply {
    try {
      return answerOf(asked, place, clock.now())
    } catch (error) {
      if (!(error instanceof UnavailableError)) throw error
      return errorAnswer(503, { type: 'server_error', code: 'busy', detail: error.message }, { 'retry-after': '1' })
    }
  }

  return {
    answer,
    send: async request => responseOf(answer(request)),
    key,
    project: findProject(store, '@current')?.toString(),
    organization: organization.id,
    async load(lines, project) {
      const found = findProject(store, project ?? '@current')
      if (found === undefined) throw new UsageError(`The sandbox has no project ${project ?? 'left'}`)
      let count = 0
      await store.writeAll(async () => {
        for await (const person of personsIn(lines, clock.now())) {
          loadPerson(store, String(found), person)
          count++
        }
      })
      return count
    },
    close: () => store.close(),
  }
}

function responseOf({ status, body, headers }: Reply): Response {
  return { status, headers, body: body === '' ? emptyBody : bodyFrom([Buffer.from(body)]) }
}
