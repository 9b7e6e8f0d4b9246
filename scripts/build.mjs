// Builds `dist/` as it is shipped: our own code in a few files, and `lib/` with a file for each outside package.
// ES modules would start 4 ms slower, and a file for each of our modules would cost half a millisecond each.
import { execFileSync, spawnSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, transform } from 'esbuild'
import { declarations } from './declarations.mjs'
import { packagesIn, thirdParty } from './licences.mjs'
import { manPages } from './man.mjs'
import { parts } from './parts.mjs'
import { sbom } from './sbom.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const dist = join(root, 'dist')
const require = createRequire(import.meta.url)
// Built beside `dist` and renamed when complete, so that a build that fails leaves the last good one.
const fresh = mkdtempSync(join(root, 'dist-'))
const { version, optionalDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

const output = { format: 'cjs', platform: 'node', target: 'node20', minify: true, legalComments: 'none' }

const common = {
  absWorkingDir: root,
  bundle: true,
  ...output,
  metafile: true,
  // `import()` becomes `require`: loading Node's loader of ES modules would take longer than the rest of the start.
  supported: { 'dynamic-import': false },
}

// What packages load and this program never uses, with what stands in its place: to start faster (docs/speed.md), and to
// be smaller: nothing is drawn in rainbows (2 KB packed), conf has no schema (45 KB) and no version to migrate from (9 KB), and of ora's spinners two turn: one where
// the terminal is known to have Unicode, one on the console of Linux and in cmd.exe (4 KB).
const { dots, line } = require('cli-spinners/spinners.json')
const unused = {
  commander: {
    // For subcommands that are programs of their own.
    'node:child_process': '{}',
  },
  'undici/lib/dispatcher/client.js': {
    './client-h2.js': '{}',
    // For bodies that are forms.
    '../web/fetch/body.js': '{}',
    // Two tables of thirty.
    '../llhttp/constants.js': constantsOf('ERROR', 'TYPE'),
    // It reads the limit of heads, and compares bodies with the class.
    'node:http': '{ maxHeaderSize: 16384, IncomingMessage: class {} }',
    'node:assert': 'ok => { if (!ok) throw new Error("An assertion of undici failed") }',
  },
  'cli-table3': {
    ...Object.fromEntries(['trap', 'zalgo'].map(name => [`./custom/${name}`, '{}'])),
    ...Object.fromEntries(['america', 'rainbow', 'random', 'zebra'].map(name => [`./maps/${name}`, '() => {}'])),
  },
  conf: { 'ajv/dist/2020.js': '{}', 'ajv-formats': '{}', semver: '{}' },
  ora: { './spinners.json': JSON.stringify({ dots, line }) },
}

/** Packages that have ES modules too, which esbuild puts into one scope: a tenth smaller, and quicker to read. */
const scoped = { yaml: join(root, 'node_modules/yaml/browser/dist/index.js') }

/** Constants of undici's HTTP parser. */
function constantsOf(...names) {
  const constants = require('undici/lib/llhttp/constants.js')
  return JSON.stringify(Object.fromEntries(names.map(name => [name, constants[name]])))
}

function without(instead = {}) {
  return {
    name: 'without',
    setup({ onLoad, onResolve }) {
      onResolve({ filter: /^/ }, ({ path }) =>
        Object.hasOwn(instead, path) ? { path, namespace: 'without' } : undefined,
      )
      onLoad({ filter: /^/, namespace: 'without' }, ({ path }) => ({ contents: `module.exports = ${instead[path]}` }))
    },
  }
}

/** undici's HTTP parser as a file of bytes: the one without SIMD, which runs everywhere and is no slower. */
const parser = {
  name: 'parser',
  setup({ onResolve }) {
    onResolve({ filter: /\/llhttp(_simd)?-wasm\.js$/ }, () => {
      writeFileSync(join(fresh, 'lib/llhttp.wasm'), require('undici/lib/llhttp/llhttp-wasm.js'))
      return { path: './llhttp.wasm', external: true }
    })
  },
}

/** Packages of a few KB, bundled with our own code. */
const small = new Set(['fastest-levenshtein', 'lossless-json'])

/** Redirects the import of an outside package to a file of its own in `lib/`, and adds it to `packages`. */
function apart(packages) {
  return {
    name: 'apart',
    setup({ onResolve }) {
      onResolve({ filter: /^[^./]/ }, ({ path, kind }) => {
        if (kind === 'entry-point' || path.startsWith('node:') || path in optionalDependencies || small.has(path))
          return undefined
        const file = `${path.replace(/\.js$/, '').replaceAll('/', '-').replace('@', '')}.js`
        packages.set(path, file)
        return { path: `./lib/${file}`, external: true }
      })
    },
  }
}

/**
 * With the functions of CommonJS modules in parentheses: V8 compiles those together with their file. Others it reads
 * twice, once with the file and once when they are called.
 */
function compiledAtOnce(text) {
  const module = /^(var \w+ = __commonJS\(\{\n {2})"[^"\n]*"(\(.*\) \{[\s\S]*?\n {2}\})\n\}\);$/gm
  const changed = text.replace(module, '$1run: (function$2)});')
  if (/ = __commonJS\(\{\s*"/.test(changed)) throw new Error('esbuild writes CommonJS modules in another form')
  return changed
}

process.on('exit', () => rmSync(fresh, { recursive: true, force: true }))
const packages = new Map()
mkdirSync(join(fresh, 'lib'))
const made = []
for (const { name, text, plugin } of await parts(common)) {
  const { metafile } = await build({
    ...common,
    stdin: { contents: text, resolveDir: root },
    outfile: join(fresh, name),
    external: Object.keys(optionalDependencies),
    plugins: [plugin, apart(packages)],
  })
  made.push(metafile)
}
for (const [name, file] of packages) {
  const outfile = join(fresh, 'lib', file)
  const plugins = [without(unused[name]), parser]
  const entryPoints = [scoped[name] ?? name]
  const bundled = await build({ ...common, minify: false, entryPoints, outfile, plugins, write: false })
  const { code } = await transform(compiledAtOnce(bundled.outputFiles[0].text), output)
  writeFileSync(outfile, code)
  made.push(bundled.metafile)
}
writeFileSync(join(fresh, 'prepared.json'), JSON.stringify(preparedAnswers()))
mkdirSync(join(fresh, 'man'))
const commands = JSON.parse(printed('commands', '-o', 'json'))
const pages = manPages({ ...(await declarations()), commands, version, date: lastChange() })
for (const [name, text] of Object.entries(pages)) writeFileSync(join(fresh, 'man', name), text)

// As `bin/load.js` compiles them: functions, in ASCII, which V8 reads in half the time.
for (const name of readdirSync(fresh, { recursive: true }).filter(name => name.endsWith('.js'))) {
  const text = readFileSync(join(fresh, name), 'utf8')
  const ascii = text.replace(/[^\0-\x7f]/g, unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
  writeFileSync(join(fresh, name), `(function (exports, require, module, __filename, __dirname) {${ascii}\n})\n`)
}

export const bundled = packagesIn(made, root)
writeFileSync(join(fresh, 'THIRD-PARTY.md'), thirdParty(bundled))
writeFileSync(join(fresh, 'sbom.cdx.json'), sbom(bundled, root))

chmodSync(fresh, 0o755)
const last = `${fresh}-last`
if (existsSync(dist)) renameSync(dist, last)
renameSync(fresh, dist)
rmSync(last, { recursive: true, force: true })

function printed(...argv) {
  const options = { encoding: 'utf8', env: {}, maxBuffer: 2 ** 26 }
  return execFileSync(process.execPath, [join(fresh, 'analytics.js'), ...argv], options)
}

/** The day of the last commit; '' without git. */
function lastChange() {
  const options = { cwd: root, encoding: 'utf8', env: { ...process.env, TZ: 'UTC' } }
  return spawnSync('git', ['log', '-1', '--date=short-local', '--format=%cd'], options).stdout?.trim() ?? ''
}

/** What `bin/analytics.js` prints without loading the program: the version, the help of groups, and words for a shell. */
function preparedAnswers() {
  const texts = []
  const answers = {}
  const words = {}
  const completed = (...before) => printed('__complete', '--', ...before, '').match(/.*\n/g)
  const prepare = (text, ...typed) => {
    for (const argv of typed) answers[JSON.stringify(argv)] = texts.length
    texts.push(text)
  }
  const help = printed('--help')
  prepare(`analytics ${version}\n`, ['--version'], ['-V'])
  prepare(printed(), [])
  prepare(help, ['--help'], ['-h'])
  for (const [, word] of help.matchAll(/^ {2}([a-z][\w-]*) {2,}/gm)) {
    const text = printed(word, '--help')
    // A group by itself shows its help; a command that stands alone runs.
    const isGroup = text.includes(`Usage: analytics ${word} <command>`)
    prepare(text, [word, '--help'], [word, '-h'], ...(isGroup ? [[word]] : []))
    if (isGroup) words[JSON.stringify([word])] = completed(word)
  }
  words['[]'] = completed()
  return { answers, texts, words }
}
