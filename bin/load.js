// Runs the program with the compiled code that earlier runs kept beside it: half of the time of a list (docs/speed.md).
require('./flags.js')
const { readFileSync, renameSync, rmSync, writeFileSync } = require('node:fs')
const { dirname, join } = require('node:path')
const { Script } = require('node:vm')
const { crc32 } = require('node:zlib') // Since Node 20.15 and 22.2.

const filename = join(__dirname, '../dist/analytics.js')
const kept = join(dirname(filename), `kept-${process.version}-${process.arch}`)
const command = process.argv
  .slice(2)
  .filter(word => /^[a-z][a-z-]*$/.test(word))
  .slice(0, 2)
  .join(' ')

const source = readSource()
if (source) run(source)

function readSource() {
  try {
    return readFileSync(filename)
  } catch {
    process.stderr.write('This copy of analytics is not built yet.\nRun npm ci in its folder.\n')
    process.exitCode = 1
  }
}

function run(source) {
  const { code, commands } = readKept(source)
  const script = new Script(source.toString('latin1'), { filename, cachedData: code })
  // What a command calls is compiled when it first runs, and kept then; so is what a failure calls.
  process.once('exit', exit => {
    const name = exit === 0 ? command : `exit ${exit}`
    const isKept = script.cachedDataRejected === false && commands.includes(name)
    if (crc32 && !isKept) keep(script, source, [...new Set([...commands, name])])
  })
  const module = { exports: {} }
  script.runInThisContext()(module.exports, require, module, filename, dirname(filename))
}

/** Its first line has a checksum of the code and the source, because V8 runs whatever it is given, and the commands. */
function readKept(source) {
  try {
    const bytes = readFileSync(kept)
    const end = bytes.indexOf('\n')
    const [sum, ...commands] = bytes.latin1Slice(0, end).split(',')
    const code = bytes.subarray(end + 1)
    if (Number(sum) === crc32(code, crc32(source))) return { code, commands }
  } catch {}
  return { commands: [] }
}

/** Whole or not at all, and for nobody else to write, whatever the umask is. */
function keep(script, source, commands) {
  const unfinished = `${kept}.${process.pid}`
  try {
    // Making the code takes some ms, in vain where no file can be made.
    writeFileSync(unfinished, '', { flag: 'wx', mode: 0o644 })
    const code = script.createCachedData()
    const head = [crc32(code, crc32(source)), ...commands].join(',')
    writeFileSync(unfinished, Buffer.concat([Buffer.from(`${head}\n`), code]))
    renameSync(unfinished, kept)
  } catch {
    rmSync(unfinished, { force: true })
  }
}
