/** The parts of undici that the program uses. Single modules, because the whole package loads far more. */
export { default as connect } from 'undici/lib/api/api-connect.js'
export { default as Agent } from 'undici/lib/dispatcher/agent.js'
export { default as Pool } from 'undici/lib/dispatcher/pool.js'
export { default as ProxyAgent } from 'undici/lib/dispatcher/proxy-agent.js'
