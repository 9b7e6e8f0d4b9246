#!/usr/bin/env node

const { readFileSync, renameSync, rmSync, statSync, writeFileSync, writeSync } = require('node:fs')
const { join } = require('node:path')

const dist = join(__dirname, '../dist')
if (!printPrepared(process.argv.slice(2))) loadProgram()

/** Prints what the build has prepared for these words; false where that is nothing, and the program answers. */
function printPrepared(argv) {
  const find = argv.length <= 2 ? answer : argv[0] === '__complete' && argv.length <= 4 ? candidates : undefined
  const text = find?.(prepared(), argv)
  return text !== undefined && isPrinted(text)
}

function answer({ answers, texts }, argv) {
  return texts?.[own(answers, argv)]
}

/** What a shell asks for a word of the program or of a group: `__complete -- persons l`. */
function candidates({ words }, argv) {
  const begun = argv.at(-1)
  const lines = begun.startsWith('-') ? undefined : own(words, argv.slice(2, -1))
  return lines?.filter(line => line.split('\t')[0].startsWith(begun)).join('')
}

function own(table, words) {
  const key = JSON.stringify(words)
  return table && Object.hasOwn(table, key) ? table[key] : undefined
}

// The program itself answers where the file is missing or damaged.
function prepared() {
  try {
    return JSON.parse(readFileSync(join(dist, 'prepared.json'), 'utf8')) ?? {}
  } catch {
    return {}
  }
}

// A closed pipe counts as printed; the program reports any other failure.
function isPrinted(text) {
  try {
    writeSync(1, text)
    return true
  } catch (error) {
    return error.code === 'EPIPE'
  }
}

/** With the compiled code that an earlier run of the command kept beside it: half of the time of a list (docs/speed.md). */
function loadProgram() {
  const filename = join(dist, 'analytics.js')
  let source
  try {
    source = readFileSync(filename, 'latin1')
  } catch {
    process.stderr.write('This copy of analytics is not built yet.\nRun npm ci in its folder.\n')
    process.exitCode = 1
    return
  }
  const build = source.slice(0, source.indexOf('\n') + 1)
  const [own, ofFailures] = [commandIn(process.argv.slice(2), build), 'failure'].map(name =>
    join(dist, `kept-${process.version}-${process.arch}-${name}`),
  )
  const ownCode = readKept(own, build)
  // Loaded late: what is prepared needs no compiler.
  const { Script } = require('node:vm')
  const script = new Script(source, { filename, cachedData: ownCode ?? readKept(ofFailures, build) })
  // What a run calls is compiled when it is first called, so it is kept at the end; once a day, with what others have called.
  process.once('exit', exit => {
    const isFit = script.cachedDataRejected === false
    if (exit === 0 && !(isFit && ownCode && isOfToday(own))) keep(own, script, build)
    else if (exit === 2 && !isFit) keep(ofFailures, script, build)
  })
  script.runInThisContext()(require)
}

/** With its format, which is code of its own. Help runs little of a command. Words before the group are values of options. */
function commandIn(argv, build) {
  if (argv.includes('--help') || argv.includes('-h')) return 'help'
  const groups = build.trim().split(' ')
  const words = argv.slice(argv.findIndex(word => groups.includes(word))).filter(word => /^[a-z_][a-z_-]*$/.test(word))
  const [format = 'table'] = /\b(ndjson|json|csv|ids)\b/.exec(argv.join(' ')) ?? []
  return [...words.slice(0, 2), format].join('-')
}

/** The line of the build, the code, and the line of the build once more: V8 runs whatever it is given. */
function readKept(file, build) {
  try {
    const bytes = readFileSync(file)
    const end = bytes.length - build.length
    const isWhole = bytes.latin1Slice(0, build.length) === build && bytes.latin1Slice(end) === build
    return isWhole ? bytes.subarray(build.length, end) : undefined
  } catch {}
}

function isOfToday(file) {
  try {
    return Date.now() - statSync(file).mtimeMs < 24 * 60 * 60 * 1000
  } catch {
    return true
  }
}

/** Whole or not at all, and for nobody else to write, whatever the umask is. */
function keep(file, script, build) {
  // Processes of other containers may have the same id.
  const unfinished = `${file}.${Math.random().toString(36).slice(2)}`
  try {
    // Making the code takes some ms, in vain where no file can be made.
    writeFileSync(unfinished, '', { flag: 'wx', mode: 0o644 })
    // V8 refuses code that was made under other flags than those of the start, which `scripts/build.mjs` changes.
    const { setFlagsFromString } = require('node:v8')
    for (const flag of ['--flush-bytecode', '--wasm-tier-up', '--wasm-dynamic-tiering', '--heap-growing-percent=0'])
      setFlagsFromString(flag)
    writeFileSync(unfinished, Buffer.concat([Buffer.from(build), script.createCachedData(), Buffer.from(build)]))
    renameSync(unfinished, file)
  } catch {
    rmSync(unfinished, { force: true })
  }
}
