// Set before anything is compiled: V8 refuses code that was kept under other flags. docs/speed.md has what each is worth.
const { setFlagsFromString } = require('node:v8')

setFlagsFromString('--semi-space-growth-factor=1')
if (process.version.startsWith('v20.')) {
  setFlagsFromString('--no-wasm-tier-up')
  setFlagsFromString('--no-wasm-dynamic-tiering')
}
