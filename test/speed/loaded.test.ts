import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { bin, emptyHome, machine } from '../process/program.ts'
import { personsList, startServer } from '../server.ts'

interface Loaded {
  /** Node's own modules, its inner ones included. */
  readonly modules: readonly string[]
  /** Files of the built program, by their place in `dist`. */
  readonly files: readonly string[]
}

const dist = join(import.meta.dirname, '../../dist/')
const folder = mkdtempSync(join(tmpdir(), 'analytics-loaded-'))
const report = join(folder, 'report.json')
const hook = join(folder, 'hook.cjs')
const empty = join(folder, 'empty.cjs')
writeFileSync(empty, '')
/** Sets the flags, and loads Node's own modules before that. */
const loader = join(import.meta.dirname, '../../bin/flags.js')
writeFileSync(
  hook,
  `const fs = require('node:fs')
  const { readFileSync, writeFileSync } = fs
  const { resolve } = require('node:path')
  const files = new Set()
  fs.readFileSync = (path, ...rest) => {
    files.add(resolve(String(path)))
    return readFileSync(path, ...rest)
  }
  process.on('exit', () => {
    const report = { modules: process.moduleLoadList, files: [...files] }
    writeFileSync(${JSON.stringify(report)}, JSON.stringify(report))
  })`,
)

/** What a script loads; the program's own compiled code, kept or not, is left out. */
async function loaded(argv: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Loaded> {
  await promisify(execFile)(process.execPath, ['--require', hook, ...argv], {
    env: { ...machine, HOME: emptyHome(), ...env },
  })
  const { modules, files }: Loaded = JSON.parse(readFileSync(report, 'utf8'))
  const ours = files.filter(file => file.startsWith(dist)).map(file => file.slice(dist.length))
  return {
    modules: modules.filter(name => name.startsWith('NativeModule')),
    files: ours.filter(file => !file.startsWith('cache/')).sort(),
  }
}

/** What is loaded beyond what another script loads. */
async function beyond(script: string, argv: readonly string[], env = {}): Promise<Loaded> {
  const floor = new Set((await loaded([script])).modules)
  const { modules, files } = await loaded([bin, ...argv], env)
  return { modules: modules.filter(name => !floor.has(name)), files }
}

test.each([
  [],
  ['--version'],
  ['--help'],
  ['persons'],
  ['persons', '--help'],
  ['__complete', '--', 'persons', 'l'],
])('%s %s is answered from prepared text, with nothing that an empty script does not load', async (...argv) => {
  expect(await beyond(empty, argv)).toEqual({ modules: [], files: ['prepared.json'] })
})

test('a list over HTTP loads two files of ours, commander and undici, and of Node only what sockets need', async () => {
  const server = await startServer(personsList(50))
  onTestFinished(() => server.close())
  const env = { ANALYTICS_BASE_URL: server.url, ANALYTICS_API_KEY: 'test-key', ANALYTICS_PROJECT: '1' }
  const { modules, files } = await beyond(loader, ['persons', 'list', '-o', 'json'], env)
  const packages = ['lib/commander.js', 'lib/llhttp.wasm', 'lib/undici-lib-dispatcher-client.js']
  expect(files).toEqual(['analytics.js', ...packages, 'list.js'])
  // Once flags are set, Node compiles its own modules anew: all that a list needs are loaded before.
  expect(modules.filter(name => name !== 'NativeModule process')).toEqual([])
})

test('what sets the flags loads no costly module of Node', async () => {
  const floor = (await loaded([empty])).modules
  const modules = (await loaded([loader])).modules.filter(name => !floor.includes(name))
  const costly = ['assert', 'child_process', 'crypto', 'dns', 'fs/promises', 'http', 'http2', 'https', 'tls', 'tty']
  const wanted = [...costly, 'perf_hooks', 'readline', 'worker_threads', 'internal/modules/esm/loader']
  expect(modules.filter(name => wanted.includes(name.replace('NativeModule ', '')))).toEqual([])
})

test('a shell that asks for an option gets it with no package but commander', async () => {
  const { files } = await beyond(loader, ['__complete', '--', 'persons', 'list', '--li'])
  expect(files).toEqual(['analytics.js', 'completion.js', 'lib/commander.js', 'list.js', 'reads.js'])
})

test.each([
  [
    ['persons', 'get', '1', '-o', 'json'],
    ['analytics.js', 'list.js', 'reads.js'],
  ],
  [
    ['persons', 'delete', '1', '--yes', '-o', 'csv'],
    ['analytics.js', 'list.js', 'more.js', 'reads.js'],
  ],
  [
    ['profiles', 'list'],
    ['analytics.js', 'list.js', 'reads.js'],
  ],
  [
    ['persons', 'list', '--sandbox'],
    ['analytics.js', 'list.js', 'reads.js', 'sandbox.js'],
  ],
])('%j loads the part of our code that it needs', async (argv, wanted) => {
  const server = await startServer(({ method }, response) => {
    response.setHeader('content-type', 'application/json').end(method === 'DELETE' ? '' : '{"id":1}')
  })
  onTestFinished(() => server.close())
  const env = { ANALYTICS_BASE_URL: server.url, ANALYTICS_API_KEY: 'test-key', ANALYTICS_PROJECT: '1' }
  const { files } = await beyond(loader, argv, env)
  expect(files.filter(file => /^\w+\.js$/.test(file))).toEqual(wanted)
})

test('a mistyped command loads the command line, its suggestions, and commander', async () => {
  await expect(loaded([bin, 'persons', 'lsit'])).rejects.toMatchObject({ code: 2 })
  const { files }: Loaded = JSON.parse(readFileSync(report, 'utf8'))
  const ours = files.filter(file => file.startsWith(dist)).map(file => file.slice(dist.length))
  expect(ours.filter(file => /^[a-z].*\.js$/.test(file) && !file.startsWith('cache/')).sort()).toEqual([
    'analytics.js',
    'lib/commander.js',
    'suggestions.js',
  ])
})
