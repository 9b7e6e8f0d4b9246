/** What travels through the HTTP pipeline: one request in, one response out, each layer a `Send` around the next. */

/**
 * What sending a request again would do; the guard and the retries decide by it, nothing else does.
 * - `read`: changes nothing.
 * - `set`: a write that may be sent twice with the same end (DELETE, PATCH, `update_property`, `delete_property`).
 * - `act`: anything else (create, split, upgrade): sent again only where the server surely did not act.
 */
export type Effect = 'read' | 'set' | 'act'

export interface Request {
  readonly method: string
  /** Absolute; its origin is where the request goes. */
  readonly url: URL
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>
  /** The body as it goes on the wire, JSON text. */
  readonly body?: string | undefined
  /** The body with its secrets masked, where a dry run must not show them. */
  readonly shownBody?: string | undefined
  readonly effect: Effect
  /** True for what safety level `no-delete` refuses (`product.md`, section 5). */
  readonly destroys: boolean
  /** From 1; set by `retry`, shown by `trace`. */
  readonly attempt?: number
}

export interface Response {
  readonly status: number
  /** Lower-cased names; repeated headers joined with a comma. */
  readonly headers: Readonly<Record<string, string>>
  /**
   * The bytes as they come, to be read once; ending early (`return`) closes the connection.
   * Throws `UnavailableError` when the answer is cut or stalls.
   */
  readonly body: AsyncIterable<Uint8Array>
  /**
   * True where an earlier attempt may have reached the service and was never answered, so this answer may be to what
   * was done already: a 404 to a DELETE is then the end that was wanted. Set by `retry`.
   */
  readonly unanswered?: boolean
  /** True where a 404 to a DELETE that may have been carried out before counts as the success of that one. */
  readonly inferred?: boolean
}

/** Sends one request. Throws `UnavailableError` when there is no answer; any status that came is a Response. */
export type Send = (request: Request) => Promise<Response>
