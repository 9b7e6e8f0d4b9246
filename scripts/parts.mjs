// Divides our own code into a few files, because V8 reads the whole of a file before it runs any of it. Each module is
// in one file only, so that its classes exist once.
import { join, posix, relative } from 'node:path'
import { build } from 'esbuild'

const main = 'analytics.js'

/** Modules of each file; with them go the ones that they import, unless an earlier file has them. */
const roots = {
  // The command line, up to the command.
  [main]: ['src/main.ts'],
  // A list as JSON, and what all commands use.
  'list.js': ['src/connection/connect.ts', ...commands('persons', 'list'), 'src/output/renderers/json.ts'],
  'reads.js': [
    ...commands('persons', 'get'),
    'src/commands/reads.ts',
    ...commands('plugins', 'list'),
    ...commands('event-definitions', 'list', 'get'),
    ...commands('projects', 'list', 'get'),
    ...commands('profiles', 'add', 'list', 'remove', 'set', 'show', 'use'),
    'src/output/renderers/csv.ts',
    'src/output/renderers/ids.ts',
    'src/output/tables/table.ts',
    // Small, and used by several of the others.
    'src/commands/writing/bulk-options.ts',
    'src/files/regular-file.ts',
    'src/json/problem.ts',
  ],
  'completion.js': ['src/complete.ts', 'src/cli/help.ts', 'src/commands/help/topics.ts'],
  'sandbox.js': ['src/connection/open-sandbox.ts', 'src/sandbox/open.ts'],
}

/**
 * Modules of functions that most runs never call: their file is loaded at the first call. None that explains why no file
 * can be opened, and none that a long run may first need after an update of the program: those that change many objects
 * load `reads.js` before they begin.
 */
const late = {
  'list.js': ['src/perform.ts'],
  'suggestions.js': ['src/cli/suggestions.ts', 'src/text/nearest.ts'],
  'reads.js': [
    'src/api/answers/failure.ts',
    'src/api/answers/error-body.ts',
    'src/api/answers/refusal.ts',
    'src/json/read-given.ts',
    'src/files/private-file.ts',
    'src/filters/service-form.ts',
    'src/filters/match.ts',
    'src/filters/check-rows.ts',
    'src/values/timezones.ts',
  ],
}

function commands(noun, ...verbs) {
  return verbs.map(verb => `src/commands/${noun}/${verb}.ts`)
}

export async function parts(options) {
  const imports = await importsOf(options)
  const partOf = new Map()
  const assign = (file, part) => {
    if (partOf.has(file)) return
    partOf.set(file, part)
    assignImports(file, part)
  }
  const assignImports = (file, part) => {
    for (const { path, kind } of imports.get(file)) if (kind === 'import-statement') assign(path, part)
  }
  for (const [part, files] of Object.entries(late)) for (const file of files) partOf.set(file, part)
  for (const [part, files] of Object.entries(roots)) for (const file of files) assign(file, part)
  for (const [part, files] of Object.entries(late)) for (const file of files) assignImports(file, part)
  for (const file of imports.keys()) assign(file, 'more.js')

  const shared = await sharedNames(imports, partOf, options)
  const sharedOf = part => [...shared.keys()].filter(file => partOf.get(file) === part)
  const moduleOf = file => {
    const part = partOf.get(file)
    return `require('./${part}').modules[${sharedOf(part).indexOf(file)}]()`
  }
  const root = options.absWorkingDir
  return [...new Set(partOf.values())].map(part => {
    const isElsewhere = file => partOf.get(file) !== part
    return {
      name: part,
      text: textOf(part, sharedOf(part)),
      plugin: elsewhere({ part, isElsewhere, moduleOf, shared, root }),
    }
  })
}

async function importsOf(options) {
  const { metafile } = await build({ ...options, entryPoints: ['src/main.ts'], packages: 'external', write: false })
  return new Map(
    Object.entries(metafile.inputs).map(([file, { imports }]) => [file, imports.filter(one => !one.external)]),
  )
}

function isLate(file) {
  return Object.values(late).some(files => files.includes(file))
}

/** For each module that other parts import: the names that each part uses, and all of them with the short names that parts use. */
async function sharedNames(imports, partOf, options) {
  const files = [...imports.keys()].filter(file => file.startsWith('src/'))
  const plain = { bundle: false, minify: false, format: 'esm', outdir: options.absWorkingDir, write: false }
  const { metafile, outputFiles } = await build({ ...options, ...plain, entryPoints: files })
  const outputs = Object.entries(metafile.outputs)
  const exportsOf = new Map(outputs.map(([, { entryPoint, exports }]) => [entryPoint, exports]))
  const written = new Map(outputFiles.map(({ path, text }) => [placeIn(options.absWorkingDir, path), text]))
  const texts = new Map(outputs.map(([output, { entryPoint }]) => [entryPoint, written.get(output)]))
  const shared = new Map()
  for (const [, { entryPoint: file }] of outputs) {
    const part = partOf.get(file)
    for (const { path, kind } of imports.get(file)) {
      if (partOf.get(path) === part) continue
      const isWhole = kind === 'dynamic-import'
      const names = isWhole ? exportsOf.get(path) : namesFrom(path, file, texts.get(file))
      const other = isLate(path) && names.find(name => !isFunction(name, texts.get(path)))
      if (other) throw new Error(`${path} cannot be loaded at the first call, since ${other} is no function`)
      const { aliases, used } = shared.get(path) ?? { aliases: new Map(), used: new Map() }
      // `import()` gives a module with its own names.
      for (const name of names)
        if (isWhole || !aliases.has(name)) aliases.set(name, isWhole ? name : `_${aliases.size}`)
      used.set(part, new Set([...(used.get(part) ?? []), ...names]))
      shared.set(path, { aliases, used })
    }
  }
  return shared
}

function isFunction(name, text) {
  return new RegExp(`^(async )?function\\*? ${name}\\(`, 'm').test(text)
}

function namesFrom(path, file, text) {
  const lines = [...text.matchAll(/^import (?:(\w+)|\{([^}]*)\}) from "(.*)";$/gm)]
  return lines
    .filter(([, , , from]) => posix.join(posix.dirname(file), from) === path)
    .flatMap(([, whole, some]) => (whole ? ['default'] : some.split(',').map(name => name.trim().split(' ')[0])))
}

/** Each of `files` runs when another part first asks for it. */
function textOf(part, files) {
  const modules = files.map(file => `() => require('shared:${file}')`)
  return `${part === main ? "import './src/main.ts'\n" : ''}export const modules = [${modules}]`
}

/** Puts what another part shares in the place of its module. */
function elsewhere({ part, isElsewhere, moduleOf, shared, root }) {
  const texts = {
    'import-statement'(file) {
      const { aliases, used } = shared.get(file)
      const names = [...used.get(part)]
      if (isLate(file)) return names.map(name => lateExportOf(name, moduleOf(file), aliases.get(name))).join('\n')
      const lines = names.map(name => exportOf(name, aliases.get(name)))
      return `const module_ = ${moduleOf(file)}\n${lines.join('\n')}`
    },
    // Without names, because esbuild makes those at the start of the program.
    'dynamic-import': file => `module.exports = ${moduleOf(file)}`,
  }
  return {
    name: 'elsewhere',
    setup({ onLoad, onResolve }) {
      onResolve({ filter: /^\..*\.ts$/ }, ({ path, resolveDir, kind }) => {
        const file = placeIn(root, join(resolveDir, path))
        return isElsewhere(file) ? { path: file, namespace: kind } : undefined
      })
      for (const [kind, text] of Object.entries(texts)) {
        onLoad({ filter: /^/, namespace: kind }, ({ path }) => ({ contents: text(path) }))
        onResolve({ filter: /^/, namespace: kind }, ({ path }) => ({ path, external: true }))
      }
      onResolve({ filter: /^shared:/ }, ({ path }) => ({ path: path.slice('shared:'.length), namespace: 'shared' }))
      onLoad({ filter: /^/, namespace: 'shared' }, ({ path }) => {
        const names = [...shared.get(path).aliases].map(pair => pair.join(' as '))
        return { contents: `export { ${names} } from './${path}'`, resolveDir: root }
      })
    },
  }
}

function lateExportOf(name, module, alias) {
  return `export const ${name} = (...args) => ${module}.${alias}(...args)`
}

function placeIn(root, path) {
  return relative(root, path).replaceAll('\\', '/')
}

function exportOf(name, alias) {
  return `export ${name === 'default' ? name : `const ${name} =`} module_.${alias}`
}
