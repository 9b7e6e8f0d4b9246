/** Makes the waits of a program between two requests a twentieth, so that a test does not wait for them. */
const { syncBuiltinESMExports } = require('node:module')
const timers = require('node:timers/promises')

const { setTimeout: sleep } = timers
timers.setTimeout = (ms, value, options) => sleep(ms / 20, value, options)
syncBuiltinESMExports()
