/** Single modules, since loading undici's index takes four times as long. */
declare module 'undici/lib/dispatcher/agent.js' {
  export { Agent as default } from 'undici'
}

declare module 'undici/lib/dispatcher/env-http-proxy-agent.js' {
  export { EnvHttpProxyAgent as default } from 'undici'
}

declare module 'undici/lib/dispatcher/pool.js' {
  export { Pool as default } from 'undici'
}

declare module 'undici/lib/api/api-connect.js' {
  import type { Dispatcher } from 'undici'

  /** A method that undici's index gives its dispatchers. */
  const connect: Dispatcher['connect']
  export default connect
}
