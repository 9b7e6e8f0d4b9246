const { fstatSync, statSync, writeSync } = require('node:fs')

/**
 * Prints the prepared answer to exactly these words, and returns whether there is one. `read` gives the text of the
 * table that `scripts/build.mjs` writes.
 */
exports.printPrepared = (argv, read) => {
  // No answer has more words, and reading the table takes a moment.
  if (argv.length > 2) return false
  const { answers, texts } = JSON.parse(read())
  const key = JSON.stringify(argv)
  return Object.hasOwn(answers, key) && !isTerminal() && isPrinted(texts[answers[key]])
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
