import { UnavailableError, UsageError } from '../errors.ts'
import type { Clock } from '../host.ts'
import { bodyFrom, emptyBody } from '../http/body.ts'
import type { Request, Response, Send } from '../http/message.ts'
import { timedOut, transportError } from '../http/transport/transport-errors.ts'
import { sandboxBase } from '../values/url.ts'
import { type Dialect, errorAnswer, type Reply, serverError } from './call.ts'
import { drawFaults, type InjectedFault, parseFaults } from './faults.ts'
import { catchUp, timeOf } from './records/batch.ts'
import { type Loaded, load } from './records/load.ts'
import { findProject, organization } from './records/projects.ts'
import { createRouter } from './router.ts'
import { openStore } from './store/open-store.ts'
import { keepFact, readFact, type Store } from './store/store.ts'

interface SandboxOptions {
  readonly stateDir: string
  readonly dialect: Dialect
  readonly faults: string | undefined
  readonly seed: number | undefined
  readonly clock: Clock
  /** Seeds the faults if no seed is given. */
  readonly random: () => number
  /** Milliseconds until a slow request times out. */
  readonly timeout: number
  /** Its reason rejects a slow request. */
  readonly signal: AbortSignal | undefined
}

export interface Sandbox {
  /** Throws `UnavailableError` if a fault loses the answer. */
  readonly send: Send
  readonly baseUrl: string
  readonly key: string
  /** Undefined if all projects are deleted. */
  readonly project: string | undefined
  readonly organization: string
  /** Returns the id of a project (default: the first). Throws `UsageError` if it does not exist. */
  projectNamed(id?: string): string
  clockNow(): number
  /** Sets the clock, forward or back, and does the work that is due. Returns the number of deleted events. */
  moveClock(to: number): number
  load(rows: Iterable<string> | AsyncIterable<string>, project?: string): Promise<Loaded>
  close(): void
}

/** Throws `UsageError` for invalid faults and an unusable database. */
export async function openSandbox(opening: SandboxOptions): Promise<Sandbox> {
  const { stateDir, dialect, faults, seed, clock, random, timeout, signal } = opening
  const draw = faults === undefined ? undefined : drawFaults(parseFaults(faults), seed ?? random() * 2 ** 32)
  const store = await openStore(stateDir)
  const now = () => timeOf(store, clock.now())
  const key = readFact(store, 'key') ?? ''
  const route = createRouter({ store, dialect, key })

  /** A timeout here happens before the request has any effect. */
  async function wait(slow: number, request: Request): Promise<void> {
    await clock.sleep(Math.min(slow, timeout), signal)
    if (slow > timeout) throw timedOut({ request, proxy: undefined, sent: true, answered: false, timeout })
  }

  async function send(request: Request): Promise<Response> {
    const injected = draw?.(request) ?? noFault
    if (injected.slow > 0) await wait(injected.slow, request)
    const act = (): Reply => {
      catchUp(store, now())
      const { share, faults } = injected
      return route(request, { now: now(), share, faults })
    }
    return injectFault(injected, request, () => answerBusy(act))
  }

  function projectNamed(id?: string): string {
    const found = findProject(store, id ?? '@current')
    if (!found) throw new UsageError(`The sandbox has no project ${id ?? 'left'}`)
    return found.id
  }

  return {
    send,
    baseUrl: sandboxBase,
    key,
    project: findProject(store, '@current')?.id,
    organization: organization.id,
    projectNamed,
    clockNow: now,
    moveClock: to => moveClock(store, clock.now(), to),
    async load(rows, project) {
      return load({ store, project: projectNamed(project), now: now() }, rows)
    },
    close: () => store.close(),
  }
}

function moveClock(store: Store, hostTime: number, to: number): number {
  store.write(() => keepFact(store, 'clock', String(Math.round(to - hostTime))))
  return catchUp(store, to)
}

const noFault: InjectedFault = { fault: undefined, done: true, share: undefined, slow: 0, faults: new Set() }

function injectFault(injected: InjectedFault, request: Request, act: () => Reply): Response {
  const { fault, done } = injected
  if (fault === '429' || fault === '429-bare') return response(throttled(fault === '429'))
  if (fault === '500') return response(serverError)
  if (fault === undefined || fault === 'still-there' || fault === 'deletion-error') return response(act())
  const reply = done || request.method === 'GET' ? act() : undefined
  if (fault === 'drop' || !reply?.body) throw cutOff(request, false)
  return { ...response(reply), body: half(Buffer.from(reply.body), () => cutOff(request, true)) }
}

function cutOff(request: Request, answered: boolean): Error {
  const error = Object.assign(new Error('The sandbox lost it'), { code: 'ECONNRESET' })
  return transportError(error, { request, proxy: undefined, sent: true, answered, timeout: 0 })
}

async function* half(body: Buffer, end: () => Error): AsyncGenerator<Uint8Array> {
  yield body.subarray(0, Math.floor(body.length / 2))
  throw end()
}

function throttled(says: boolean): Reply {
  const detail = 'Request was throttled. Expected available in 1 second.'
  return errorAnswer(429, { type: 'throttled_error', code: 'throttled', detail }, says ? { 'retry-after': '1' } : {})
}

function answerBusy(act: () => Reply): Reply {
  try {
    return act()
  } catch (error) {
    if (!(error instanceof UnavailableError)) throw error
    return errorAnswer(503, { type: 'server_error', code: 'busy', detail: error.message }, { 'retry-after': '1' })
  }
}

function response({ status, body, headers }: Reply): Response {
  const length = String(Buffer.byteLength(body))
  return {
    status,
    headers: { ...(status === 204 ? {} : { 'content-length': length }), ...headers },
    body: body === '' ? emptyBody : bodyFrom([Buffer.from(body)]),
  }
}
