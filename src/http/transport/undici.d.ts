/** Single modules, since loading undici's index takes four times as long. */
declare module 'undici/lib/dispatcher/agent.js' {
  import type { Socket } from 'node:net'

  export type Connector = (
    to: { hostname: string; port: string; protocol: string },
    callback: ((error: Error | null, socket: Socket | null) => void) | undefined,
  ) => void

  export interface AgentOptions {
    connections?: number
    pipelining?: number
    allowH2?: boolean
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
