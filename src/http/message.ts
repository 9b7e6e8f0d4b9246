/** Whether a request may be sent twice: `set` gives the same result, `act` only if the service surely did nothing. */
export type Effect = 'read' | 'set' | 'act'

export interface Request {
  readonly method: string
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | undefined
  readonly shownBody?: string | undefined
  readonly effect: Effect
  readonly destroys: boolean
  /** Whether the service's document has it, and so knows the form of its answer. */
  readonly isDocumented?: boolean
  readonly attempt?: number
  /** How many connections there may be for requests that say the same number; 8 where left out. */
  readonly connections?: number
  /** Ms of the longest wait that the service may ask for, where the user names none. */
  readonly maxWait?: number
  /** In how many ms from now every wait before an attempt must have ended. */
  readonly left?: (() => number) | undefined
  /** Called before each attempt; throws where this process may not send it any more. */
  readonly check?: () => void
}

export interface Response {
  readonly status: number
  /** Lower-case names; repeated headers joined with a comma, cookies with a line feed. */
  readonly headers: Readonly<Record<string, string>>
  /** To be read once; `return` closes the connection. Throws `UnavailableError` when the answer is cut or stalls. */
  readonly body: AsyncIterable<Uint8Array>
  /** True if an earlier attempt got no answer and may have reached the service. */
  readonly unanswered?: boolean
}

export type Send = (request: Request) => Promise<Response>

/** Without the query, which may hold names and e-mails. */
export function shownAddress({ origin, pathname }: URL): string {
  return origin + pathname
}
