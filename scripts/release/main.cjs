// What the single executable runs: the same program as `bin/`, with its files inside the executable.
const { getAsset, getRawAsset } = require('node:sea')
const { Script } = require('node:vm')
const { printPrepared } = require('../../bin/load.js')

if (!printPrepared(process.argv.slice(2), () => getAsset('prepared.json', 'utf8'))) {
  // Here it repeats the name of the executable; a script stands in its place otherwise.
  process.argv[1] = ''
  const kept = Buffer.from(getRawAsset('kept'))
  const cachedData = kept.subarray(kept.indexOf('\n') + 1)
  const source = Buffer.from(getRawAsset('analytics.js')).toString('latin1')
  const script = new Script(source, { filename: 'analytics.js', cachedData })
  script.runInThisContext()(require)
}
