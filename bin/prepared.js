const { writeSync } = require('node:fs')

/** Prints what the build has prepared for these words; false where that is nothing, and the program answers. */
exports.printPrepared = (argv, read) => {
  const find = argv.length <= 2 ? answer : argv[0] === '__complete' && argv.length <= 4 ? candidates : undefined
  const text = find?.(parsed(read), argv)
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
function parsed(read) {
  try {
    return JSON.parse(read()) ?? {}
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
