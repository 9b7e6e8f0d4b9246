// Builds `dist/` as it is shipped: the program, packages that only some commands load, and prepared texts.
import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, transform } from 'esbuild'
import { packagesIn, thirdParty } from './licences.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const dist = join(root, 'dist')
// Built beside `dist` and renamed when complete, so that a build that fails leaves the last good one.
const fresh = mkdtempSync(join(root, 'dist-'))
const program = join(fresh, 'analytics.js')
const { version, optionalDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

const require = createRequire(import.meta.url)
const { dots, line } = require('cli-spinners/spinners.json')
const { ERROR, TYPE } = require('undici/lib/llhttp/constants.js')
/** What packages load and this program never uses, and what is in its place. docs/speed.md shows what each saves. */
const unused = {
  // Modules of Node: commander can run subcommands that are programs; undici reads a limit and compares classes.
  'node:child_process': '{}',
  'node:http': '{ maxHeaderSize: 16384, IncomingMessage: class {} }',
  'node:assert': 'ok => { if (!ok) throw new Error("An assertion failed") }',
  './client-h2.js': '{}',
  '../llhttp/llhttp_simd-wasm.js': '(() => { throw new Error("not built in") })()',
  '../llhttp/constants.js': JSON.stringify({ ERROR, TYPE }),
  '../web/fetch/body.js': '{}',
  './socks5-proxy-agent': 'class {}',
  'ajv/dist/2020.js': '{}',
  'ajv-formats': '{}',
  semver: '{}',
  '@colors/colors/safe': '{}',
  './spinners.json': JSON.stringify({ dots, line }),
}

/**
 * V8 of Node 20 optimizes undici's parser, which is WebAssembly, and delays the exit by 65 ms. Set when the parser is
 * loaded, because V8 rejects the compiled code of Node's own modules after a flag changes.
 */
const flags = `if (process.version.startsWith('v20.')) {
  const { setFlagsFromString } = require('node:v8')
  for (const flag of ['--no-wasm-tier-up', '--no-wasm-dynamic-tiering']) setFlagsFromString(flag)
}`

/** cli-table3 measures each cell, and most are plain. */
const measure = `const measured = module.exports
module.exports = text => (/^[ -~]*$/.test(text) ? text.length : measured(text))`

const withoutUnused = {
  name: 'without-unused',
  setup({ onLoad, onResolve }) {
    onResolve({ filter: /^/ }, ({ path, importer }) =>
      importer.includes('node_modules') && Object.hasOwn(unused, path) ? { path, namespace: 'unused' } : undefined,
    )
    // ora has a newer copy for the one line that it measures.
    onResolve({ filter: /^string-width$/ }, ({ importer }) =>
      /node_modules.ora.index/.test(importer) ? { path: join(root, 'node_modules/string-width/index.js') } : undefined,
    )
    // esbuild copies the members of a module that a package imports, and Node on Windows aborts when it reads the title
    // of a process whose console has none.
    onResolve({ filter: /^node:process$/ }, ({ path, importer, kind }) =>
      importer.includes('node_modules') && kind === 'import-statement' ? { path, namespace: 'process' } : undefined,
    )
    onLoad({ filter: /^/, namespace: 'process' }, () => ({ contents: 'export default process' }))
    onLoad({ filter: /^/, namespace: 'unused' }, ({ path }) => ({ contents: `module.exports = ${unused[path]}` }))
    onLoad({ filter: /llhttp-wasm\.js$/ }, ({ path }) => ({ contents: `${flags}\n${readFileSync(path, 'utf8')}` }))
    onLoad({ filter: /node_modules\/string-width\/index\.js$/ }, ({ path }) =>
      path === join(root, 'node_modules/string-width/index.js')
        ? { contents: `${readFileSync(path, 'utf8')}\n${measure}` }
        : undefined,
    )
  },
}

/**
 * Large modules that are files of their own, because V8 reads every byte of a file before it runs. A run loads them
 * before its first write, so that an update of the package cannot take one away later.
 */
const beside = { undici: 'src/http/transport/undici.ts', yaml: 'yaml', 'csv-parse': 'csv-parse/sync', conf: 'conf' }

const besideProgram = {
  name: 'beside-program',
  setup({ onResolve }) {
    onResolve({ filter: /^/ }, ({ path, importer }) => {
      const isOwn = importer.startsWith(join(root, 'src'))
      const name = Object.keys(beside).find(one => beside[one].endsWith(path.replace('./', '/')))
      return isOwn && name ? { path: `./${name}.js`, external: true } : undefined
    })
  },
}

/**
 * Puts the modules of packages that nearly every command loads in parentheses: V8 compiles such functions with their
 * file. Others it reads twice, once with the file and once when they are called.
 */
function compiledAtOnce(text) {
  const module =
    /^(var \w+ = __commonJS\(\{\n {2})"node_modules\/(?:undici|commander)\/[^"]+"(\(.*\) \{[\s\S]*?\n {2}\})\n\}\);$/gm
  return text.replace(module, '$1run: (function$2)});')
}

process.on('exit', () => rmSync(fresh, { recursive: true, force: true }))
// V8 reads ASCII in half the time.
const output = { format: 'cjs', platform: 'node', target: 'node20', charset: 'ascii', legalComments: 'none' }
const { metafile, outputFiles } = await build({
  absWorkingDir: root,
  entryPoints: { analytics: 'src/main.ts', ...beside },
  outdir: fresh,
  bundle: true,
  ...output,
  // An `import()` runs its module at first use. As `require`, it also works in the single executable.
  supported: { 'dynamic-import': false },
  // Its ES modules share one scope: a tenth smaller.
  alias: { yaml: './node_modules/yaml/browser/dist/index.js' },
  external: Object.keys(optionalDependencies),
  plugins: [besideProgram, withoutUnused],
  metafile: true,
  write: false,
})
for (const { path, text } of outputFiles) {
  writeFileSync(path, (await transform(compiledAtOnce(text), { ...output, minify: true })).code)
}
writeFileSync(join(fresh, 'prepared.json'), JSON.stringify(preparedAnswers()))
export const bundled = packagesIn([metafile], root)
writeFileSync(join(fresh, 'THIRD-PARTY.md'), thirdParty(bundled))

chmodSync(fresh, 0o755)
const last = `${fresh}-last`
if (existsSync(dist)) renameSync(dist, last)
renameSync(fresh, dist)
rmSync(last, { recursive: true, force: true })

/** What `bin/analytics.js` prints without loading the program: the version, the help of groups, and words for a shell. */
function preparedAnswers() {
  const texts = []
  const answers = {}
  const words = {}
  const printed = (...argv) => execFileSync(process.execPath, [program, ...argv], { encoding: 'utf8', env: {} })
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
