// Runs the program with the compiled code that earlier runs kept beside it: half of the time of a list (docs/speed.md).
const { readFileSync, renameSync, rmSync, writeFileSync } = require('node:fs')
const { dirname, join } = require('node:path')
const { Script } = require('node:vm')

const filename = join(__dirname, '../dist/analytics.js')
const kept = join(dirname(filename), `kept-${process.version}-${process.arch}`)
const isWord = word => /^[a-z][a-z-]*$/.test(word)
const command = process.argv.slice(2).filter(isWord).slice(0, 2).join(' ')

const source = readSource()
if (source) run(source)

function readSource() {
  try {
    return readFileSync(filename, 'latin1')
  } catch {
    process.stderr.write('This copy of analytics is not built yet.\nRun npm ci in its folder.\n')
    process.exitCode = 1
  }
}

function run(source) {
  const build = source.slice(0, source.indexOf('\n') + 1)
  const { code, commands } = readKept(build)
  const script = new Script(source, { filename, cachedData: code })
  // What a command calls is compiled when it first runs, and kept then; so is what a failure calls.
  process.once('exit', exit => {
    const name = exit === 0 ? command : `exit ${exit}`
    const isKept = script.cachedDataRejected === false && commands.includes(name)
    if (!isKept) keep(script, build, [...new Set([...commands, name])])
  })
  const module = { exports: {} }
  script.runInThisContext()(module.exports, require, module, filename, dirname(filename))
}

/** The line of the build, a line of commands, the code, and the line of the build once more: V8 runs whatever it is given. */
function readKept(build) {
  try {
    const bytes = readFileSync(kept)
    const start = bytes.indexOf('\n', build.length) + 1
    const end = bytes.length - build.length
    const commands = bytes.latin1Slice(build.length, start - 1).split(',')
    const isWhole = bytes.latin1Slice(0, build.length) === build && bytes.latin1Slice(end) === build
    if (isWhole) return { code: bytes.subarray(start, end), commands }
  } catch {}
  return { commands: [] }
}

/** Whole or not at all, and for nobody else to write, whatever the umask is. */
function keep(script, build, commands) {
  const unfinished = `${kept}.${process.pid}`
  try {
    // Making the code takes some ms, in vain where no file can be made.
    writeFileSync(unfinished, '', { flag: 'wx', mode: 0o644 })
    // V8 refuses code that was made under other flags than those of the start.
    const flags = ['--wasm-tier-up', '--wasm-dynamic-tiering', '--semi-space-growth-factor=2']
    for (const flag of flags) require('node:v8').setFlagsFromString(flag)
    const code = script.createCachedData()
    writeFileSync(unfinished, Buffer.concat([Buffer.from(`${build}${commands}\n`), code, Buffer.from(build)]))
    renameSync(unfinished, kept)
  } catch {
    rmSync(unfinished, { force: true })
  }
}
