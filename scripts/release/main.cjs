// What the single executable runs: the same program as `bin/`, with its file and its kept code inside the executable.
const { getRawAsset } = require('node:sea')
const { Script } = require('node:vm')

// Here it repeats the name of the executable; a script stands in its place otherwise.
process.argv[1] = ''
const kept = Buffer.from(getRawAsset('kept'))
const cachedData = kept.subarray(kept.indexOf('\n') + 1)
const source = Buffer.from(getRawAsset('analytics.js')).toString('latin1')
new Script(source, { filename: 'analytics.js', cachedData }).runInThisContext()(require)
