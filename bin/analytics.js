#!/usr/bin/env node

// Prints the prepared answer to exactly these words, if there is one, and loads the program for all else.
const { fstatSync, readFileSync, statSync, writeSync } = require('node:fs')

const answer = preparedAnswer(process.argv.slice(2))
if (answer === undefined || isTerminal() || !isPrinted(answer)) require('./load.js')

function preparedAnswer(argv) {
  // No answer has more words, and reading the file takes a moment.
  if (argv.length > 2) return undefined
  const { answers, texts } = JSON.parse(readFileSync(`${__dirname}/../dist/prepared.json`, 'utf8'))
  const key = JSON.stringify(argv)
  return Object.hasOwn(answers, key) ? texts[answers[key]] : undefined
}

/** There the program prints bold headings in the width of the window. `process.stdout` takes 2 ms to make. */
function isTerminal() {
  const { rdev } = fstatSync(1)
  if (rdev === 0 || rdev === statSync('/dev/null', { throwIfNoEntry: false })?.rdev) return false
  return process.stdout.isTTY
}

/** A closed pipe counts as printed; any other failure is reported by the program, which prints it again. */
function isPrinted(text) {
  try {
    writeSync(1, text)
    return true
  } catch (error) {
    return error.code === 'EPIPE'
  }
}
