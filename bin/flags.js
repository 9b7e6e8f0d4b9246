// V8 refuses code that was compiled under other flags: they are set before any code of ours is compiled, and after the
// modules of Node are loaded that a request needs, which come with compiled code. docs/speed.md has what each is worth.
const { setFlagsFromString } = require('node:v8')
require('node:net')
require('node:os')
require('node:vm')
require('node:zlib')

setFlagsFromString('--semi-space-growth-factor=1')
if (process.version.startsWith('v20.')) {
  setFlagsFromString('--no-wasm-tier-up')
  setFlagsFromString('--no-wasm-dynamic-tiering')
}
