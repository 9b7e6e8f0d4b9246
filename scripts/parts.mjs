/**
 * Divides our own code into a few files, because V8 reads the whole of a file before it runs any of it. Each module is
 * in one file only, so that its classes exist once.
 */
import { join, relative } from 'node:path'
import { build } from 'esbuild'

const main = 'analytics.js'

/** Modules of each file; with them go the ones that they import, unless an earlier file has them. */
const roots = {
  [main]: [
    'src/main.ts',
    'src/connect.ts',
    ...commands('persons', 'list', 'get', 'views'),
    ...commands('plugins', 'list', 'reads'),
    ...commands('event-definitions', 'list', 'get'),
    ...commands('projects', 'list', 'get'),
    'src/output/csv.ts',
    'src/output/ids.ts',
    'src/output/json.ts',
    'src/output/ndjson.ts',
    'src/output/table.ts',
    // Small, and used by several of the others.
    'src/cli/bulk-options.ts',
    'src/json/problem.ts',
    'src/values/sunday.ts',
  ],
  'completion.js': ['src/complete.ts', 'src/cli/help.ts'],
  'profiles.js': commands('profiles', 'add', 'list', 'remove', 'set', 'show', 'use'),
  'changes.js': commands('persons', 'delete', 'update'),
  'sandbox.js': ['src/sandbox/open.ts', 'src/sandbox/document-shapes.ts'],
}

function commands(noun, ...verbs) {
  return verbs.map(verb => `src/commands/${noun}/${verb}.ts`)
}

/** The name of each file, its text, and the plugin with which esbuild bundles it. */
export async function parts(options) {
  const imports = await importsOf(options)
  const partOf = new Map()
  const assign = (file, part) => {
    if (partOf.has(file)) return
    partOf.set(file, part)
    for (const { path, kind } of imports.get(file)) if (kind === 'import-statement') assign(path, part)
  }
  for (const [part, files] of Object.entries(roots)) for (const file of files) assign(file, part)
  for (const file of imports.keys()) assign(file, 'more.js')

  const isElsewhere = (path, file) => partOf.get(path) !== partOf.get(file)
  const used = [...imports].flatMap(([file, list]) =>
    list.map(({ path }) => path).filter(path => isElsewhere(path, file)),
  )
  const shared = await exportsOf([...new Set(used)], options)
  return [...new Set(partOf.values())].map(part => {
    const own = [...shared.keys()].filter(file => partOf.get(file) === part)
    return { name: part, text: textOf(part, own), plugin: elsewhere(part, partOf, shared, options.absWorkingDir) }
  })
}

async function importsOf(options) {
  const { metafile } = await build({ ...options, entryPoints: ['src/main.ts'], packages: 'external', write: false })
  return new Map(
    Object.entries(metafile.inputs).map(([file, { imports }]) => [file, imports.filter(one => !one.external)]),
  )
}

/** The names that each of `files` exports. */
async function exportsOf(files, options) {
  const outdir = options.absWorkingDir
  const { metafile } = await build({
    ...options,
    entryPoints: files,
    bundle: false,
    format: 'esm',
    outdir,
    write: false,
  })
  return new Map(Object.values(metafile.outputs).map(({ entryPoint, exports }) => [entryPoint, exports]))
}

/** Each of `files` runs when another part first asks for it. */
function textOf(part, files) {
  const modules = files.map(file => `${JSON.stringify(file)}: () => require('./${file}')`)
  return `${part === main ? "import './src/main.ts'\n" : ''}export const modules = {${modules}}`
}

/** Puts in the place of a module of another part what that part exports of it. */
function elsewhere(part, partOf, shared, root) {
  return {
    name: 'elsewhere',
    setup({ onLoad, onResolve }) {
      onResolve({ filter: /^\..*\.ts$/ }, ({ path, resolveDir }) => {
        const file = relative(root, join(resolveDir, path)).replaceAll('\\', '/')
        return partOf.get(file) === part ? undefined : { path: file, namespace: 'elsewhere' }
      })
      onLoad({ filter: /^/, namespace: 'elsewhere' }, ({ path }) => ({
        contents: importOf(path, partOf.get(path), shared.get(path)),
      }))
      onResolve({ filter: /^/, namespace: 'elsewhere' }, ({ path }) => ({ path, external: true }))
    },
  }
}

function importOf(file, part, names) {
  const lines = names.map(name => `export ${name === 'default' ? name : `const ${name} =`} module_.${name}`)
  return `const module_ = require('./${part}').modules[${JSON.stringify(file)}]()\n${lines.join('\n')}`
}
