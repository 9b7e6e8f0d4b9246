/** How long `--version` of similar programs takes: those on this machine, and some from npm when asked. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { has, ratio, time } from './measure.mjs'

const installed = ['gh', 'curl', 'jq', 'http']

/** The last of each that runs on Node 20, and the command that it brings. */
const published = {
  'neonctl@2': 'neonctl',
  'contentful-cli@3': 'contentful',
  'heroku@10': 'heroku',
  '@stripe/cli@1': 'stripe',
}

export async function besidePeers({ home, env }, { fetched }) {
  const commands = installed.filter(has).map(name => [name, name])
  if (fetched) commands.push(...(await fetch(home)))
  const empty = join(home, 'empty.js')
  writeFileSync(empty, '')
  const rows = []
  for (const [name, command] of commands) {
    const theirs = () => time(command, ['--version'], env)
    const value = await ratio(theirs, () => time(process.execPath, [empty], env), 11)
    rows.push({ name: `${name} --version`, goal: '', value, unit: '× floor' })
  }
  return rows
}

/** Installs them in a folder that is removed with the world; none of their install scripts runs. */
async function fetch(home) {
  const folder = join(home, 'peers')
  mkdirSync(folder)
  writeFileSync(join(folder, 'package.json'), '{}')
  const quiet = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel', 'error']
  execFileSync('npm', ['install', ...quiet, ...Object.keys(published)], { cwd: folder, stdio: 'ignore' })
  return Object.values(published).map(name => [name, join(folder, 'node_modules/.bin', name)])
}
