// Run by the Node of the executable. `compile` runs a list in the sandbox, and writes the compiled code of all files;
// `mark` gives that the flags of an ordinary run.
require('../../bin/flags.js')
const { readFileSync, writeFileSync } = require('node:fs')
const { dirname, join } = require('node:path').posix
const { Script } = require('node:vm')

/** Where V8 writes a number for the flags that code was compiled under. */
const flagsAt = 12

const [task, list] = process.argv.slice(2)
const files = new Map(JSON.parse(readFileSync(list, 'utf8')).map(file => [file.name, file]))
const loaded = new Map()
if (task === 'compile') compile()
else for (const file of files.values()) mark(file)

function compile() {
  process.argv = [process.execPath, '', '--sandbox', 'persons', 'list']
  process.once('exit', () => {
    for (const name of files.keys()) load(name)
    for (const [name, { script }] of loaded) writeFileSync(files.get(name).target, script.createCachedData())
  })
  load('analytics.js')
}

function load(name) {
  const known = loaded.get(name)
  if (known) return known.module.exports
  const script = scriptOf(files.get(name))
  const module = { exports: {} }
  loaded.set(name, { script, module })
  const find = id => (id.startsWith('./') ? load(join(dirname(name), id)) : require(id))
  script.runInThisContext()(module.exports, find, module, name, dirname(name))
  return module.exports
}

/** The seeds and threads of `compile` change nothing in the code, but V8 refuses what was compiled under other flags. */
function mark(file) {
  const code = readFileSync(file.target)
  scriptOf(file)
    .createCachedData()
    .copy(code, flagsAt, flagsAt, flagsAt + 4)
  writeFileSync(file.target, code)
  if (scriptOf(file, code).cachedDataRejected) throw new Error(`V8 refuses the compiled code of ${file.name}`)
}

function scriptOf({ name, source }, cachedData) {
  return new Script(readFileSync(source, 'latin1'), { filename: name, cachedData })
}
