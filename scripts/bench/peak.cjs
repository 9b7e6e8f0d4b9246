// Loaded with --require: writes the most memory that the process held, in KB, to the file REPORT when it ends.
// Linux hands the maximum of getrusage down from the parent, so a large parent would hide a small child.
const { readFileSync, writeFileSync } = require('node:fs')

process.on('exit', () => writeFileSync(process.env.REPORT, String(ownPeak() ?? process.resourceUsage().maxRSS)))

function ownPeak() {
  try {
    return /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]
  } catch {
    return undefined
  }
}
