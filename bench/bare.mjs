/** What the least program of Node reaches: it sends the same requests by `node:http`, and discards the answers. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { time } from './measure.mjs'

const script = `
const http = require('node:http')
const [, , method, width, ...urls] = process.argv
const [template, count] = [urls[0], Number(urls[1])]
const agent = new http.Agent({ keepAlive: true, maxSockets: Number(width) })
const headers = { authorization: 'Bearer bench' }
let sent = 0
const next = () => {
  if (sent >= count) return
  http.request(template.replace('{}', String(sent++)), { method, agent, headers }, answer => answer.resume().on('end', next)).end()
}
for (let i = 0; i < Number(width); i++) next()
`

/** Times `count` requests, `width` at once; `{}` in the address is the number of each. */
export function bare({ home, env }, { method, width, address, count }) {
  const file = join(home, 'bare.cjs')
  writeFileSync(file, script)
  return () => time(process.execPath, [file, method, String(width), address, String(count)], env)
}

/** A row without a goal: what sets the limit of the one before it. */
export function reference(name, value, unit) {
  return { name: `  ${name} that discards them`, goal: '', value, unit }
}
