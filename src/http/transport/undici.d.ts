/** Single modules, since loading undici's index takes four times as long. */
declare module 'undici/lib/dispatcher/client.js' {
  import type { Socket } from 'node:net'

  export type Connector = (
    to: { hostname: string; port: string; protocol: string },
    callback: ((error: Error | null, socket: Socket | null) => void) | undefined,
  ) => void

  export interface ClientOptions {
    pipelining?: number
    allowH2?: boolean
    headersTimeout?: number
    bodyTimeout?: number
    connect?: Connector
  }

  export default class Client {
    constructor(origin: string, options: ClientOptions)
    readonly stats: { readonly connected: boolean; readonly size: number }
    on(event: 'disconnect' | 'drain', listener: () => void): this
    dispatch(options: object, handler: object): boolean
    destroy(): Promise<void>
  }
}
