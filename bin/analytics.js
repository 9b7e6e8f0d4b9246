#!/usr/bin/env node

// Old versions of Node parse this file too, so it has only syntax that they know.
if (Number(process.versions.node.split('.')[0]) < 20) {
  fail(2, `analytics requires Node 20 or later. This is Node ${process.versions.node}.\n`)
} else if (!printPrepared(process.argv.slice(2))) {
  loadProgram()
}

/** Prints the text that the build prepared for these words. Returns false if there is none. */
function printPrepared(argv) {
  const isCompletion = argv[0] === '__complete' && (argv.length === 3 || argv.length === 4)
  if (!isCompletion && argv.length > 2) return false
  const { answers, texts = [], words } = readPrepared()
  const text = isCompletion ? candidates(words, argv) : texts[own(answers, argv)]
  return text !== undefined && isPrinted(text)
}

/** Completes a word of the program or of a group: `__complete -- persons l`. */
function candidates(words, argv) {
  const begun = argv[argv.length - 1]
  const lines = own(words, argv.slice(2, -1))
  if (lines === undefined || begun.startsWith('-')) return undefined
  return lines.filter(line => line.split('\t')[0].startsWith(begun)).join('')
}

function own(table, words) {
  const key = JSON.stringify(words)
  return table && Object.hasOwn(table, key) ? table[key] : undefined
}

// If the file is missing or damaged, the program prints the same text.
function readPrepared() {
  try {
    return JSON.parse(require('node:fs').readFileSync(inDist('prepared.json'), 'utf8')) || {}
  } catch {
    return {}
  }
}

// A closed pipe counts as printed. The program reports any other failure.
function isPrinted(text) {
  try {
    require('node:fs').writeSync(1, text)
    return true
  } catch (error) {
    return error.code === 'EPIPE'
  }
}

function loadProgram() {
  const program = inDist('analytics.js')
  if (!require('node:fs').existsSync(program)) {
    return fail(1, 'This copy of analytics is not built.\nRun npm ci in its folder.\n')
  }
  enableCompileCache()
  require(program)
}

/**
 * Turns on Node's own compile cache (Node 22.1 and later). Node checks the length and a checksum of what it reads, but
 * a checksum stops no attacker, so the folder must belong to this user.
 */
function enableCompileCache() {
  const { enableCompileCache } = require('node:module')
  const { dirname } = require('node:path')
  const { NODE_COMPILE_CACHE, NODE_DISABLE_COMPILE_CACHE } = process.env
  if (!enableCompileCache || NODE_COMPILE_CACHE || NODE_DISABLE_COMPILE_CACHE) return
  try {
    const folder = cacheFolder()
    makeFolder(dirname(folder))
    makeFolder(folder)
    if (isPrivate(folder)) enableCompileCache(folder)
  } catch {
    // The program starts without a cache.
  }
}

function cacheFolder() {
  const { isAbsolute, join } = require('node:path')
  const { XDG_CACHE_HOME = '', LOCALAPPDATA, HOME } = process.env
  // The XDG specification ignores relative paths.
  if (isAbsolute(XDG_CACHE_HOME)) return join(XDG_CACHE_HOME, 'analytics')
  if (process.platform === 'win32' && LOCALAPPDATA) return join(LOCALAPPDATA, 'analytics')
  return join(HOME || require('node:os').homedir(), '.cache/analytics')
}

// Not recursive: in /proc, Node then tries for ever.
function makeFolder(path) {
  const { existsSync, mkdirSync } = require('node:fs')
  if (!existsSync(path)) mkdirSync(path, { mode: 0o700 })
}

/** Windows protects the user's folders by itself, and its modes say nothing. */
function isPrivate(folder) {
  if (!process.geteuid) return true
  const { uid, mode } = require('node:fs').statSync(folder)
  return uid === process.geteuid() && (mode & 0o022) === 0
}

function inDist(name) {
  return require('node:path').join(__dirname, '../dist', name)
}

function fail(code, message) {
  process.stderr.write(message)
  process.exitCode = code
}
