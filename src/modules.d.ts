/** Modules without types. Single modules of undici load four times as fast as its index. */

declare module 'undici/lib/dispatcher/agent.js' {
  import type { Agent } from 'undici'

  const module: typeof Agent
  export default module
}

declare module 'undici/lib/dispatcher/proxy-agent.js' {
  import type { ProxyAgent } from 'undici'

  const module: typeof ProxyAgent
  export default module
}

declare module 'undici/lib/dispatcher/pool.js' {
  import type { Pool } from 'undici'

  const module: typeof Pool
  export default module
}

declare module 'undici/lib/api/api-connect.js' {
  import type { Dispatcher } from 'undici'

  const connect: Dispatcher['connect']
  export default connect
}

/** From Node 22 on. */
declare module 'node:sqlite' {
  interface Statement {
    all(...cells: (string | number)[]): unknown[]
    iterate(...cells: (string | number)[]): Iterable<unknown>
    run(...cells: (string | number)[]): unknown
  }

  export class DatabaseSync {
    constructor(path: string)
    prepare(sql: string): Statement
    exec(sql: string): unknown
    close(): unknown
  }
}
