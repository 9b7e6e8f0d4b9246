/**
 * The modules of undici that we load one by one: its index would cost four times as much at every start.
 * Only what `transport.ts` uses is typed.
 */
declare module 'undici/lib/dispatcher/agent.js' {
  import type { Socket } from 'node:net'

  /** Calls back once, with a connected socket or the reason why there is none. `hostname` has no brackets. */
  export type Connector = (
    to: { hostname: string; port: string; protocol: string },
    callback: ((error: Error | null, socket: Socket | null) => void) | undefined,
  ) => void

  export interface AgentOptions {
    /** How many connections are kept open to one origin at most. */
    connections?: number
    pipelining?: number
    allowH2?: boolean
    /** Milliseconds; 0: none. */
    connectTimeout?: number
    headersTimeout?: number
    bodyTimeout?: number
    /** In place of undici's own. */
    connect?: Connector
  }

  export default class Agent {
    constructor(options: AgentOptions)
    dispatch(options: object, handler: object): boolean
    destroy(): Promise<void>
  }
}
