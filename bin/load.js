/**
 * Loads the built program with the machine code that earlier runs kept: compiling it anew is half of its start. It is
 * kept in `dist/cache`, beside the program and as trusted as it; where that cannot be written, nothing is. Our own code
 * is kept once for each command, since what a run compiles is what it ran; a command that has none yet takes the first's.
 * Each file begins with a mark of its build: of the text that code was compiled from V8 checks no more than the length.
 */
const { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } = require('node:fs')
const { dirname, join } = require('node:path')
const { Script } = require('node:vm')

const program = 'analytics.js'
const dist = join(__dirname, '../dist')
const cache = join(dist, 'cache', `${process.version}-${process.arch}`)
const typed = process.argv.slice(2, 4)
const other = typed.findIndex(word => !/^(__)?[a-z][a-z-]*$/.test(word))
// A word behind an option may be its value, and names no command.
const command = other < 0 ? typed : typed.slice(0, other)
const loaded = new Map()
const compiled = []

function load(name) {
  const known = loaded.get(name)
  if (known) return known.exports
  const filename = join(dist, name)
  const module = { exports: {} }
  loaded.set(name, module)
  const find = id => (id.startsWith('./') ? load(join(dirname(name), id)) : require(id))
  untuned(() => compile(name, filename)).runInThisContext()(module.exports, find, module, filename, dirname(filename))
  if (name === 'lib/llhttp_simd-wasm.js') tune()
  return module.exports
}

function compile(name, filename) {
  const source = readFileSync(filename, 'latin1')
  const [mark] = /^\/\*\w+/.exec(source)
  const shared = join(cache, `${name.replace('/', '-')}.${mark.slice(2)}`)
  const own = name === program ? [shared, ...command].join('.') : shared
  const bytes = bytesOf(own)
  const script = new Script(source, { filename, cachedData: bytes ?? bytesOf(shared) })
  // `undefined` where there was nothing to reject.
  const helped = script.cachedDataRejected === false
  if (!bytes || !helped) compiled.push({ script, own, shared, helped })
  return script
}

function bytesOf(file) {
  try {
    return readFileSync(file)
  } catch {
    return undefined
  }
}

/** Set while requests are sent: the flag, and what it is by itself. */
const flags = [
  // What a collection has not reached yet holds on to all that came meanwhile: 50 MB more in a long export.
  ['--semi-space-growth-factor=1', '--semi-space-growth-factor=2'],
  // Node 20 would spend 65 ms at the end of the shortest run on optimising undici's parser, which is WebAssembly.
  ...(process.version.startsWith('v20.')
    ? [
        ['--no-wasm-tier-up', '--wasm-tier-up'],
        ['--no-wasm-dynamic-tiering', '--wasm-dynamic-tiering'],
      ]
    : []),
]
let setFlag

function tune() {
  setFlag ??= require('node:v8').setFlagsFromString
  for (const [tuned] of flags) setFlag(tuned)
}

/** Does something under V8's own flags: it refuses code that was kept under others. */
function untuned(work) {
  if (!setFlag) return work()
  for (const [, own] of flags) setFlag(own)
  try {
    return work()
  } finally {
    tune()
  }
}

// At the end, when V8 has compiled what such a run needs.
process.once('exit', code => untuned(() => keepCompiled(code)))

function keepCompiled(code) {
  for (const { script, own, shared, helped } of compiled) {
    // A mistyped word names no command; and what all share stays what the first run needed, not what the last one did.
    const files = new Set([...(code === 2 ? [] : [own]), ...(helped ? [] : [shared])])
    if (files.size > 0) keep(script.createCachedData(), files)
  }
}

/** Whole or not at all, and for nobody else to write, whatever the umask: it is run. */
function keep(bytes, files) {
  for (const file of files) {
    const fresh = `${file}.${process.pid}-${Date.now()}`
    try {
      mkdirSync(cache, { recursive: true, mode: 0o755 })
      writeFileSync(fresh, bytes, { flag: 'wx', mode: 0o644 })
      renameSync(fresh, file)
    } catch {
      // A place that cannot be written, or is full, is no reason to fail.
      drop(fresh)
    }
  }
}

function drop(file) {
  try {
    rmSync(file, { force: true })
  } catch {}
}

load(program)
