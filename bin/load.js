// With the compiled code that an earlier run kept; Node's own cache would keep less of it (docs/speed.md).
require('./flags.js')
const {
  accessSync,
  constants,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  unlinkSync,
  writeFileSync,
} = require('node:fs')
const { homedir } = require('node:os')
const { dirname, isAbsolute, join } = require('node:path')
const { Script } = require('node:vm')
const { crc32 } = require('node:zlib')

const dist = join(__dirname, '../dist')
const home = cacheFolder()
const cache = home && join(home, `${process.version}-${process.arch}`)
const loaded = new Map()
const scripts = []
let isFresh = false

function load(name) {
  const known = loaded.get(name)
  if (known) return known.exports
  const filename = join(dist, name)
  if (name.endsWith('.wasm')) return readFileSync(filename)
  const module = { exports: {} }
  loaded.set(name, module)
  const find = id => (id.startsWith('./') ? load(join(dirname(name), id)) : require(id))
  compile(filename, cache && join(cache, name)).runInThisContext()(
    module.exports,
    find,
    module,
    filename,
    dirname(filename),
  )
  return module.exports
}

// Of the user where the program belongs to somebody else, as after `sudo npm install --global`: one folder for each place
// of installation, which only that user may have written to.
function cacheFolder() {
  try {
    accessSync(dist, constants.W_OK)
    return join(dist, 'cache')
  } catch {}
  try {
    const place = crc32(dist).toString(16)
    const folder = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), `analytics-${place}`)
    if (!isAbsolute(folder)) return undefined
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    const { uid, mode } = lstatSync(folder)
    return uid === process.getuid() && (mode & 0o170077) === 0o040000 ? folder : undefined
  } catch {
    return undefined
  }
}

function compile(filename, kept) {
  const source = readFileSync(filename)
  const script = new Script(source.toString('latin1'), { filename, cachedData: keptCode(kept, source) })
  scripts.push({ script, kept, source })
  if (script.cachedDataRejected !== false) isFresh = true
  return script
}

// Its first 4 bytes are a checksum of the rest and of the source, because V8 runs whatever it is given.
function keptCode(file, source) {
  try {
    const bytes = readFileSync(file)
    const code = bytes.subarray(4)
    return bytes.readUInt32LE(0) === checksum(code, source) ? code : undefined
  } catch {
    return undefined
  }
}

function checksum(code, source) {
  return crc32(code, crc32(source))
}

// All of them: a run that needs a new file needs functions of the others that no run has compiled before it.
if (crc32 && cache) process.once('exit', () => isFresh && scripts.forEach(keep)) // Node has crc32 since 20.15 and 22.2.

// Whole or not at all, and for nobody else to write, whatever the umask is: it is executed. An empty file first: V8
// takes 8 ms to give the code, in vain where no file can be made.
function keep({ script, kept, source }) {
  const unfinished = `${kept}.${process.pid}-${Date.now()}`
  try {
    mkdirSync(dirname(kept), { recursive: true, mode: 0o755 })
    writeFileSync(unfinished, '', { flag: 'wx', mode: 0o644 })
    writeFileSync(unfinished, withChecksum(script.createCachedData(), source))
    renameSync(unfinished, kept)
  } catch {
    discard(unfinished)
  }
}

function withChecksum(code, source) {
  const head = Buffer.alloc(4)
  head.writeUInt32LE(checksum(code, source))
  return Buffer.concat([head, code])
}

function discard(file) {
  try {
    unlinkSync(file)
  } catch {}
}

if (existsSync(join(dist, 'analytics.js'))) load('analytics.js')
else {
  process.stderr.write('This copy of analytics is not built yet.\nRun npm ci in its folder.\n')
  process.exitCode = 1
}
