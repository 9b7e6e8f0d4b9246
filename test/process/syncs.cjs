/** Loaded before the program: writes to the file SYNCS what is on disk, as each sync ends. */
const fs = require('node:fs')

const log = fs.openSync(process.env.SYNCS, 'a')
const { fdatasync, fdatasyncSync, fsyncSync, fstatSync, readdirSync, readlinkSync, writeSync } = fs

/** A file has a length; a folder has names. */
function contentOf(file) {
  const { ino, size } = fstatSync(file)
  if (!fstatSync(file).isDirectory()) return { ino, size }
  return { ino, names: readdirSync(readlinkSync(`/proc/self/fd/${file}`)) }
}

function record(content) {
  writeSync(log, `${JSON.stringify(content)}\n`)
}

function recorded(sync) {
  return file => {
    const content = contentOf(file)
    sync(file)
    record(content)
  }
}

fs.fdatasyncSync = recorded(fdatasyncSync)
fs.fsyncSync = recorded(fsyncSync)
fs.fdatasync = (file, done) => {
  const content = contentOf(file)
  fdatasync(file, error => {
    if (!error) record(content)
    done(error)
  })
}
