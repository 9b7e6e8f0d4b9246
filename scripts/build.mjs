/**
 * Builds `dist/`, the program as it is shipped: `analytics.js`, all of our own code in one CommonJS file whose modules
 * run when they are first imported, and `lib/`, each outside package in a file that is read only when it is used.
 *
 * Why so: ES modules start 4 ms slower than CommonJS; a file for each of our modules costs half a millisecond apiece;
 * and the packages in one file with us would be read at every start for the sake of a few.
 */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
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
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { thirdParty } from './licences.mjs'
import { ownWidth } from './own-width.mjs'
import { settingsSchemaText } from './schema.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const dist = join(root, 'dist')
const require = createRequire(import.meta.url)
// Made beside it and put in its place when whole: a build that fails leaves the last good one.
const fresh = mkdtempSync(join(root, 'dist-'))
const { version, dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

const common = {
  absWorkingDir: root,
  bundle: true,
  format: 'cjs',
  platform: 'node',
  target: 'node20',
  minify: true,
  metafile: true,
  legalComments: 'none',
  // `import()` becomes `require`: Node's loader of ES modules alone takes longer than all of us to start.
  supported: { 'dynamic-import': false },
}

/** What packages ask for at their start and we never reach, in place of what takes milliseconds to load. */
const unreached = {
  name: 'unreached',
  setup({ onLoad, onResolve }) {
    // HTTP/2 and fetch.
    onLoad({ filter: /undici\/lib\/(dispatcher\/client-h2|web\/fetch\/body)\.js$/ }, () => ({ contents: '' }))
    // The well-known names of headers: it takes longer to plant them than to do without.
    onLoad({ filter: /undici\/lib\/core\/tree\.js$/ }, () => ({
      contents: 'module.exports = { tree: { lookup: () => null } }',
    }))
    onResolve({ filter: /^node:(http|assert|child_process)$/ }, ({ path }) => ({ path, namespace: 'unreached' }))
    onLoad({ filter: /^/, namespace: 'unreached' }, ({ path }) => ({ contents: `module.exports = ${instead[path]}` }))
  },
}

const instead = {
  'node:http': '{ maxHeaderSize: 16384, IncomingMessage: class {} }',
  'node:assert': 'ok => { if (!ok) throw new Error("undici came upon what it rules out") }',
  // commander starts the commands that are programs of their own with it; we have none.
  'node:child_process': '{}',
}

/** undici's HTTP parser, for processors with and without SIMD, apart and as the bytes that it is: one of the two is read. */
const parsers = {
  name: 'parsers',
  setup({ onResolve }) {
    onResolve({ filter: /\/llhttp(_simd)?-wasm\.js$/ }, ({ path }) => {
      const name = basename(path)
      const bytes = name.replace('.js', '.wasm')
      writeFileSync(join(fresh, 'lib', bytes), require(`undici/lib/llhttp/${name}`))
      writeFileSync(join(fresh, 'lib', name), `module.exports=require('node:fs').readFileSync(__dirname+'/${bytes}')\n`)
      return { path: `./${name}`, external: true }
    })
  },
}

/** Packages of a few KB that many commands use: they go into the one file with our own code. */
const small = new Set(['fastest-levenshtein', 'lossless-json'])

/** Sends the import of an outside package to its own file in `lib/`, and remembers which there are. */
function apart(packages) {
  return {
    name: 'apart',
    setup({ onResolve }) {
      onResolve({ filter: /^[^./]/ }, ({ path, kind }) => {
        if (kind === 'entry-point' || path.startsWith('node:') || path in dependencies || small.has(path))
          return undefined
        const file = `${path.replace(/\.js$/, '').replaceAll('/', '-').replace('@', '')}.js`
        packages.set(path, file)
        return { path: `./lib/${file}`, external: true }
      })
    },
  }
}

process.on('exit', () => rmSync(fresh, { recursive: true, force: true }))
const packages = new Map()
mkdirSync(join(fresh, 'lib'))
const own = await build({
  ...common,
  entryPoints: ['src/main.ts'],
  outfile: join(fresh, 'analytics.js'),
  external: Object.keys(dependencies),
  plugins: [apart(packages)],
})
const made = [own.metafile]
for (const [name, file] of packages) {
  const { metafile } = await build({
    ...common,
    entryPoints: [name],
    outfile: join(fresh, 'lib', file),
    plugins: /^(commander$|undici\/)/.test(name) ? [unreached, parsers] : [ownWidth],
  })
  made.push(metafile)
}
// What needs no thinking is answered from text prepared here, before any of the program is read.
const shown = (...argv) =>
  execFileSync(process.execPath, [join(fresh, 'analytics.js'), ...argv], { encoding: 'utf8', env: {} })
const help = { '': shown('--help') }
for (const [, word] of help[''].matchAll(/^ {2}([a-z][\w-]*) {2,}/gm)) help[word] = shown(word, '--help')
// A group by itself shows its help; a command that stands alone runs.
const groups = Object.keys(help).filter(word => help[word].includes(`Usage: analytics ${word} <command>`))
writeFileSync(
  join(fresh, 'prepared.json'),
  JSON.stringify({ version: `analytics ${version}\n`, start: shown(), help, groups }),
)

// As `bin/load.js` compiles it: without a change, and in ASCII, which it reads in half the time. The mark tells its
// compiled code from that of another build: V8 looks at the length of a text only.
for (const name of readdirSync(fresh, { recursive: true }).filter(name => name.endsWith('.js'))) {
  const text = readFileSync(join(fresh, name), 'utf8')
  const ascii = text.replace(/[^\0-\x7f]/g, unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
  const mark = createHash('sha256').update(ascii).digest('hex').slice(0, 16)
  writeFileSync(
    join(fresh, name),
    `/*${mark}*/(function (exports, require, module, __filename, __dirname) {${ascii}\n})\n`,
  )
}

// For editors: what a settings file may hold.
writeFileSync(join(fresh, 'settings.schema.json'), await settingsSchemaText())

// Of what is bundled, the licences have to be passed on with it.
writeFileSync(join(fresh, 'THIRD-PARTY.md'), thirdParty(made, root))

chmodSync(fresh, 0o755)
const last = `${fresh}-last`
if (existsSync(dist)) renameSync(dist, last)
renameSync(fresh, dist)
rmSync(last, { recursive: true, force: true })
