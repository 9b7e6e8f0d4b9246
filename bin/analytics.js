#!/usr/bin/env node

// Answers `--version` and the help of groups from prepared text, and loads the program for everything else.
const argv = process.argv.slice(2)
const [word, second] = argv
const asksHelp = text => text === '--help' || text === '-h'
const { version, help, groups } = argv.length <= 2 ? require('../dist/prepared.json') : {}

function prepared() {
  if (argv.length > 2 || (process.stdout.isTTY && process.stdout.columns < 100)) return undefined
  if (argv.length === 0) return help['']
  if (argv.length === 1 && (word === '--version' || word === '-V')) return version
  if (argv.length === 1 && asksHelp(word)) return help['']
  if (argv.length === 1 ? groups.includes(word) : Object.hasOwn(help, word) && asksHelp(second)) return help[word]
  return undefined
}

const text = prepared()
if (text === undefined) require('./load.js')
else {
  try {
    require('node:fs').writeSync(1, text)
  } catch (error) {
    // The reader closed the pipe: that is its right.
    if (error.code !== 'EPIPE') throw error
  }
}
