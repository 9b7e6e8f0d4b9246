/** Modules of undici that we load one by one: its index costs four times as much. */
declare module 'undici/lib/dispatcher/agent.js' {
  import type { Socket } from 'node:net'

  /** `hostname` has no brackets. */
  export type Connector = (
    to: { hostname: string; port: string; protocol: string },
    callback: ((error: Error | null, socket: Socket | null) => void) | undefined,
  ) => void

  export interface AgentOptions {
    connections?: number
    pipelining?: number
    allowH2?: boolean
    connectTimeout?: number
    headersTimeout?: number
    bodyTimeout?: number
    connect?: Connector
  }

  export default class Agent {
    constructor(options: AgentOptions)
    dispatch(options: object, handler: object): boolean
    destroy(): Promise<void>
  }
}
