/** What travels through the HTTP pipeline, each layer a `Send` around the next. */

/**
 * What sending again would do. `set` may be sent twice with the same end; `act` only where the service surely did not
 * act.
 */
export type Effect = 'read' | 'set' | 'act'

export interface Request {
  readonly method: string
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | undefined
  /** Without secrets, for a dry run. */
  readonly shownBody?: string | undefined
  readonly effect: Effect
  /** Whether safety level `no-delete` refuses it. */
  readonly destroys: boolean
  readonly attempt?: number
}

export interface Response {
  readonly status: number
  /** Lower-case names; repeated headers joined with a comma. */
  readonly headers: Readonly<Record<string, string>>
  /** To be read once; `return` closes the connection. Throws `UnavailableError` when the answer is cut or stalls. */
  readonly body: AsyncIterable<Uint8Array>
  /** True where an earlier attempt may have reached the service and was not answered. Set by `retry`. */
  readonly unanswered?: boolean
  /** True where a 404 counts as the success of such an earlier DELETE. */
  readonly inferred?: boolean
}

export type Send = (request: Request) => Promise<Response>
