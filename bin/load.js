/**
 * Loads the built program with the machine code of its last run: compiling it anew is a third of its start.
 * The code is kept in `dist/cache`, beside the program and as trusted as it; where that cannot be written, nothing is
 * kept. Node 22.1 brings this along; for Node 20 it is done here.
 */
const { mkdirSync, readFileSync, renameSync, writeFileSync } = require('node:fs')
const Module = require('node:module')
const { join } = require('node:path')
const { Script } = require('node:vm')

const dist = join(__dirname, '../dist')
const cache = join(dist, 'cache')

function load() {
  if (Module.enableCompileCache) {
    Module.enableCompileCache(cache)
    return require('../dist/analytics.js')
  }
  // Else Node 20 spends 65 ms at its exit on optimising undici's parser. Set first: V8 refuses code kept under other flags.
  require('node:v8').setFlagsFromString('--liftoff-only')
  const folder = join(cache, `${process.version}-${process.arch}`)
  const fresh = []
  const loaded = new Map()

  function run(name) {
    const known = loaded.get(name)
    if (known) return known.exports
    const filename = join(dist, name)
    const kept = join(folder, `${name.replace('/', '-')}.bin`)
    const cachedData = bytesOf(kept)
    const script = new Script(Module.wrap(readFileSync(filename, 'utf8')), { filename, cachedData })
    if (!cachedData || script.cachedDataRejected) fresh.push({ script, kept })
    const module = { exports: {} }
    loaded.set(name, module)
    const find = id => (id.startsWith('./') ? run(join(name, '..', id)) : require(id))
    script.runInThisContext()(module.exports, find, module, filename, dist)
    return module.exports
  }

  // After the run, when V8 has compiled what such a run needs.
  process.once('exit', () => {
    for (const { script, kept } of fresh) keep(kept, script.createCachedData())
  })
  return run('analytics.js')

  function keep(file, code) {
    try {
      mkdirSync(folder, { recursive: true })
      writeFileSync(`${file}.${process.pid}`, code)
      renameSync(`${file}.${process.pid}`, file)
    } catch {
      // A place that cannot be written is no reason to fail.
    }
  }
}

function bytesOf(file) {
  try {
    return readFileSync(file)
  } catch {
    return undefined
  }
}

load()
