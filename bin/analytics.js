#!/usr/bin/env node

// Answers `--version` and the help of groups from prepared text, and loads the program for everything else.
const { fstatSync, readFileSync, statSync, writeSync } = require('node:fs')

const argv = process.argv.slice(2)
const [word, second] = argv
const alone = argv.length < 2

function prepared() {
  if (!alone && !(argv.length === 2 && asksHelp(second))) return undefined
  const { version, start, help, groups } = JSON.parse(readFileSync(`${__dirname}/../dist/prepared.json`, 'utf8'))
  if (alone && (word === '--version' || word === '-V')) return version
  if (isTerminal()) return undefined
  if (word === undefined) return start
  if (alone && asksHelp(word)) return help['']
  if (alone ? groups.includes(word) : Object.hasOwn(help, word)) return help[word]
  return undefined
}

function asksHelp(text) {
  return text === '--help' || text === '-h'
}

/**
 * Where help has bold headings and another width. `process.stdout` takes 2 ms to make, and neither a file nor a pipe nor
 * /dev/null is a terminal.
 */
function isTerminal() {
  const { rdev } = fstatSync(1)
  if (rdev === 0 || rdev === statSync('/dev/null', { throwIfNoEntry: false })?.rdev) return false
  return process.stdout.isTTY
}

const text = prepared()
if (text === undefined) require('./load.js')
else {
  try {
    writeSync(1, text)
  } catch (error) {
    // The reader closed the pipe: that is its right. For any other end the program has its words.
    if (error.code !== 'EPIPE') require('./load.js')
  }
}
