/**
 * Builds `dist/`, the program as it is shipped: `analytics.js`, all of our own code in one CommonJS file whose modules
 * run when they are first imported, and `lib/`, each outside package in a file that is read only when it is used.
 *
 * Why so: ES modules start 4 ms slower than CommonJS; a file for each of our modules costs half a millisecond apiece;
 * and the packages in one file with us would be read at every start for the sake of a few.
 */
import { execFileSync } from 'node:child_process'
import { chmodSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { settingsSchemaText } from './schema.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const dist = join(root, 'dist')
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
  legalComments: 'none',
  // `import()` becomes `require`: Node's loader of ES modules alone takes longer than all of us to start.
  supported: { 'dynamic-import': false },
}

/**
 * What undici asks for at its start and we never reach: HTTP/2, fetch, and two of Node's own modules that take 5 ms to
 * load for the sake of one number and one check.
 */
const unreached = {
  name: 'unreached',
  setup({ onLoad, onResolve }) {
    onLoad({ filter: /undici\/lib\/(dispatcher\/client-h2|web\/fetch\/body)\.js$/ }, () => ({ contents: '' }))
    onResolve({ filter: /^node:(http|assert)$/ }, ({ path }) => ({ path, namespace: 'unreached' }))
    onLoad({ filter: /^node:http$/, namespace: 'unreached' }, () => ({
      contents: 'module.exports = { maxHeaderSize: 16384, IncomingMessage: class {} }',
    }))
    onLoad({ filter: /^node:assert$/, namespace: 'unreached' }, () => ({
      contents: 'module.exports = ok => { if (!ok) throw new Error("undici came upon what it rules out") }',
    }))
    // The parser for processors without SIMD stays at hand, in a file that is read by those only.
    onResolve({ filter: /\/llhttp-wasm\.js$/ }, ({ kind }) =>
      kind === 'entry-point' ? undefined : { path: './undici-llhttp-wasm.js', external: true },
    )
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
await build({
  ...common,
  entryPoints: ['src/main.ts'],
  outfile: join(fresh, 'analytics.js'),
  external: Object.keys(dependencies),
  plugins: [apart(packages)],
})
for (const [name, file] of packages) {
  await build({
    ...common,
    entryPoints: [name],
    outfile: join(fresh, 'lib', file),
    plugins: name.startsWith('undici/') ? [unreached] : [],
  })
}
await build({
  ...common,
  entryPoints: ['undici/lib/llhttp/llhttp-wasm.js'],
  outfile: join(fresh, 'lib/undici-llhttp-wasm.js'),
})

// What needs no thinking is answered from text prepared here, before any of the program is read.
const shown = (...argv) =>
  execFileSync(process.execPath, [join(fresh, 'analytics.js'), ...argv], { encoding: 'utf8', env: {} })
const help = { '': shown('--help') }
for (const [, word] of help[''].matchAll(/^ {2}([a-z][\w-]*) {2,}/gm)) help[word] = shown(word, '--help')
// A group by itself shows its help; a command that stands alone runs.
const groups = Object.keys(help).filter(word => help[word].includes(`Usage: analytics ${word} <command>`))
writeFileSync(join(fresh, 'prepared.json'), JSON.stringify({ version: `analytics ${version}\n`, help, groups }))

// For editors: what a settings file may hold.
writeFileSync(join(fresh, 'settings.schema.json'), await settingsSchemaText())

chmodSync(fresh, 0o755)
rmSync(dist, { recursive: true, force: true })
renameSync(fresh, dist)
