// What the single executable runs: the same program as `bin/`, with all of its files inside the executable.
const { dirname, join } = require('node:path').posix
const { getAsset, getRawAsset } = require('node:sea')
const { Script } = require('node:vm')
const { printPrepared } = require('../../bin/prepared.js')

const loaded = new Map()

function load(name) {
  const known = loaded.get(name)
  if (known) return known.exports
  if (name.endsWith('.wasm')) return Buffer.from(getRawAsset(name))
  const module = { exports: {} }
  loaded.set(name, module)
  const find = id => (id.startsWith('./') ? load(join(dirname(name), id)) : require(id))
  compile(name).runInThisContext()(module.exports, find, module, name, dirname(name))
  return module.exports
}

function compile(name) {
  const source = Buffer.from(getRawAsset(name)).toString('latin1')
  return new Script(source, { filename: name, cachedData: Buffer.from(getRawAsset(`cache/${name}`)) })
}

if (!printPrepared(process.argv.slice(2), () => getAsset('prepared.json', 'utf8'))) {
  // Here it repeats the name of the executable; a script stands in its place otherwise.
  process.argv[1] = ''
  require('../../bin/flags.js')
  load('analytics.js')
}
