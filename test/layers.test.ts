import { readdirSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { expect, test } from 'vitest'

const src = join(import.meta.dirname, '../src')

const files = readdirSync(src, { recursive: true, encoding: 'utf8' })
  .filter(file => file.endsWith('.ts'))
  .map(file => file.replaceAll('\\', '/'))

const imports = files.flatMap(file => {
  const text = readFileSync(join(src, file), 'utf8')
  const found = text.matchAll(
    /^\s*(?:import|export)\s+(type\s)?[^'"]*?from\s+'([^']+)'|import\('([^']+)'\)|require\('([^']+)'\)/gm,
  )
  return [...found].map(([, type, a, b, c]) => {
    return { file, types: type !== undefined, target: a ?? b ?? c ?? '', isLazy: a === undefined }
  })
})

/** The map of the source is the ladder: a file may import from its own folder and from those below it. */
const [, map = ''] =
  /^## Where things are\n(.*?)\n## /ms.exec(readFileSync(join(src, '../docs/contributing.md'), 'utf8')) ?? []
const level = (file: string) => map.indexOf(`src/${file.split('/')[0]}`)

test('the map of the source has every folder and file of src/', () => {
  expect(files.filter(file => level(file) < 0)).toEqual([])
})

test('imports only go down the map, also of types', () => {
  const up = imports.filter(({ file, target }) => {
    const to = posix.join(posix.dirname(file), target)
    return target.startsWith('.') && !to.startsWith('..') && level(to) < level(file)
  })
  expect(up).toEqual([])
})

test('an outside package is imported by exactly one file', () => {
  const outside = imports.filter(({ target }) => !target.startsWith('.') && !target.startsWith('node:'))
  const name = (target: string) =>
    target
      .split('/')
      .slice(0, target.startsWith('@') ? 2 : 1)
      .join('/')
  const shared = [...new Set(outside.map(({ target }) => name(target)))].flatMap(target => {
    const users = outside.filter(one => !one.types && name(one.target) === target)
    const from = [...new Set(users.map(({ file }) => file))]
    return from.length > 1 ? [`${target}: ${from.join(', ')}`] : []
  })
  expect(shared).toEqual([])
})

test('an exported name means one thing', () => {
  // Commands are named by their words: there is an activity of persons and one of plugins.
  const isCommand = (file: string) => file.startsWith('commands/')
  const declared = /^export (?:async |abstract )*(?:function\*?|const|class|interface|type) (\w+)/gm
  const exported = files.flatMap(file =>
    [...readFileSync(join(src, file), 'utf8').matchAll(declared)].map(([, name]) => ({ name, file })),
  )
  const twice = exported.filter(one =>
    exported.some(
      other => other.name === one.name && other.file !== one.file && !(isCommand(one.file) && isCommand(other.file)),
    ),
  )
  expect(twice).toEqual([])
})

test('every file but the first is imported, and every exported name is used in another file', () => {
  const root = join(src, '..')
  const places = ['src', 'test', 'scripts'].flatMap(folder =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map(file => join(folder, file)),
  )
  const words = places
    .filter(file => /\.(ts|mjs)$/.test(file))
    .map(file => ({ file, words: new Set(readFileSync(join(root, file), 'utf8').split(/\W+/)) }))
  const declared = /^export (?:async |abstract )*(?:function\*?|const|class|interface|type) (\w+)/gm
  const alone = files.flatMap(file =>
    [...readFileSync(join(src, file), 'utf8').matchAll(declared)].flatMap(([, name = '']) =>
      words.some(other => other.file !== join('src', file) && other.words.has(name)) ? [] : [`${file}: ${name}`],
    ),
  )
  const imported = new Set(imports.map(({ file, target }) => posix.join(posix.dirname(file), target)))
  const forgotten = files.filter(file => !imported.has(file) && file !== 'main.ts' && !file.endsWith('.d.ts'))
  expect([...alone, ...forgotten]).toEqual([])
})

test('only the edge touches the process', () => {
  const touching = files.filter(
    file =>
      !['main.ts', 'prompt.ts'].includes(file) && /\bprocess\.|\bconsole\./.test(readFileSync(join(src, file), 'utf8')),
  )
  expect(touching).toEqual([])
})

test('no imports form a circle, except those loaded on demand', () => {
  const targets = new Map(files.map(file => [file, [] as string[]]))
  for (const { file, target, isLazy } of imports) {
    if (target.startsWith('.') && !isLazy) targets.get(file)?.push(posix.join(posix.dirname(file), target))
  }
  const done = new Set<string>()
  const circles: string[] = []
  const visit = (file: string, way: readonly string[]) => {
    if (way.includes(file)) circles.push([...way.slice(way.indexOf(file)), file].join(' → '))
    if (done.has(file)) return
    done.add(file)
    for (const target of targets.get(file) ?? []) visit(target, [...way, file])
  }
  for (const file of files) visit(file, [])
  expect(circles).toEqual([])
})
