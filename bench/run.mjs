/**
 * Prints how fast the program is beside its goals: all of it, or the parts that are named (`npm run bench -- startup`).
 * `--json` for machines, `--write` into `docs/speed.md`, `--peers` beside programs from npm.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { cpus, loadavg } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { bulk } from './bulk.mjs'
import { exports } from './exports.mjs'
import { openWorld } from './measure.mjs'
import { besidePeers } from './peers.mjs'
import { blocksOf, pageOf } from './report.mjs'
import { requests } from './requests.mjs'
import { sandbox } from './sandbox.mjs'
import { size } from './size.mjs'
import { startup } from './startup.mjs'

const { values, positionals } = parseArgs({
  options: { json: { type: 'boolean' }, peers: { type: 'boolean' }, write: { type: 'boolean' } },
  allowPositionals: true,
})
const parts = {
  requests,
  startup,
  exports,
  bulk,
  sandbox,
  size,
  peers: world => besidePeers(world, { fetched: values.peers }),
}
const unknown = positionals.find(name => !Object.hasOwn(parts, name))
if (unknown) throw new Error(`No part is called ${unknown}: ${Object.keys(parts).join(', ')}`)

const before = loadavg()[0]
const world = await openWorld()
const rows = []
try {
  for (const name of positionals.length > 0 ? positionals : Object.keys(parts)) rows.push(...(await parts[name](world)))
} finally {
  world.close()
}

const machine = {
  node: process.version,
  platform: `${process.platform} ${process.arch}`,
  cores: cpus().length,
  model: cpus()[0]?.model ?? 'processor',
  load: [before, loadavg()[0]],
}
const blocks = blocksOf(machine, rows)
const page = join(import.meta.dirname, '../docs/speed.md')
if (values.write) writeFileSync(page, pageOf(blocks, readFileSync(page, 'utf8')))
process.stdout.write(values.json ? `${JSON.stringify({ machine, rows }, null, 2)}\n` : `${blocks.join('\n\n')}\n`)
