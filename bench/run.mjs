/**
 * Prints how fast the program is beside its goals. `--json` for machines, `--write` into `docs/speed.md`, `--peers` beside
 * programs from npm.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { bulk } from './bulk.mjs'
import { exports } from './exports.mjs'
import { openWorld } from './measure.mjs'
import { besidePeers } from './peers.mjs'
import { blockOf, pageOf } from './report.mjs'
import { size } from './size.mjs'
import { startup } from './startup.mjs'

const wanted = parseArgs({
  options: { json: { type: 'boolean' }, peers: { type: 'boolean' }, write: { type: 'boolean' } },
})
const { json, peers, write } = wanted.values

const [{ model = 'processor' } = {}] = cpus()
const machine = { node: process.version, platform: `${process.platform} ${process.arch}`, cores: cpus().length, model }
const world = await openWorld()
const rows = []
try {
  rows.push(...(await startup(world)), ...(await exports(world)), ...(await bulk(world)), ...size())
  rows.push(...(await besidePeers(world, { fetched: peers })))
} finally {
  world.close()
}

const block = blockOf(machine, rows)
const page = join(import.meta.dirname, '../docs/speed.md')
if (write) writeFileSync(page, pageOf(block, readFileSync(page, 'utf8')))
process.stdout.write(json ? `${JSON.stringify({ machine, rows }, null, 2)}\n` : `${block}\n`)
