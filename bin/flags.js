// First Node's own modules: V8 refuses the compiled code that they come with as soon as a flag changes (docs/speed.md).
const { setFlagsFromString } = require('node:v8')
require('node:net')
require('node:os')
require('node:vm')
require('node:zlib')

setFlagsFromString('--semi-space-growth-factor=1')
if (process.version.startsWith('v20.')) {
  setFlagsFromString('--no-wasm-tier-up')
  setFlagsFromString('--no-wasm-dynamic-tiering')
} else {
  // For `src/collector.ts`.
  setFlagsFromString('--expose-gc')
}
