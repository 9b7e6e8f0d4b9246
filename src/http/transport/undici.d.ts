/** Single modules, since loading undici's index takes four times as long. */
declare module 'undici/lib/dispatcher/agent.js' {
  import type { SecureContext } from 'node:tls'
  import type { Dispatcher } from '../../dispatcher.ts'

  export interface AgentOptions {
    readonly headersTimeout: number
    readonly bodyTimeout: number
    readonly connectTimeout: number
    readonly connect: { readonly secureContext?: SecureContext }
  }

  const Agent: new (options: AgentOptions) => Dispatcher
  export default Agent
}

declare module 'undici/lib/dispatcher/env-http-proxy-agent.js' {
  import type { SecureContext } from 'node:tls'
  import type { AgentOptions } from 'undici/lib/dispatcher/agent.js'
  import type { Dispatcher } from '../../dispatcher.ts'

  interface Connecting {
    readonly timeout: number
    readonly secureContext?: SecureContext
  }

  export interface ProxyOptions extends AgentOptions {
    readonly httpProxy: string
    readonly httpsProxy: string
    readonly noProxy: string
    readonly proxyTls: Connecting
    readonly requestTls: Connecting
    readonly clientFactory: (this: void, origin: URL, options: object) => Dispatcher
  }

  const EnvHttpProxyAgent: new (options: ProxyOptions) => Dispatcher
  export default EnvHttpProxyAgent
}

declare module 'undici/lib/dispatcher/pool.js' {
  import type { Dispatcher } from '../../dispatcher.ts'

  const Pool: new (origin: URL, options: object) => Dispatcher
  export default Pool
}

declare module 'undici/lib/api/api-connect.js' {
  import type { Dispatcher } from '../../dispatcher.ts'

  /** A method that undici's index gives its dispatchers. */
  function connect(this: Dispatcher, parameters: object): Promise<object>
  export default connect
}
