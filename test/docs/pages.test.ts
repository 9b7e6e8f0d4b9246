/** The pages of `docs/`: their shell blocks work, their links lead somewhere, and generated parts are up to date. */
import { execFile } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { needsPosix } from '../posix.ts'
import { blocksOf, matches, run, updated } from './page.ts'

needsPosix('a shell')

const root = join(import.meta.dirname, '../..')
const folder = join(root, 'docs')

const pages = readdirSync(folder)
  .filter(name => name.endsWith('.md'))
  .map(name => `docs/${name}`)

describe.each(pages)('%s', name => {
  const page = readFileSync(join(root, name), 'utf8')
  const blocks = blocksOf(page)
  if (blocks.length === 0) return test.skip('has no shell blocks')

  test('its shell blocks print what it shows', () => {
    const ran = run(blocks)
    if (process.env.UPDATE) writeFileSync(join(root, name), updated(page, ran))
    for (const [i, { script, shown, exit, line }] of blocks.entries()) {
      const { seen, exit: ended } = ran[i] ?? { seen: '', exit: -1 }
      expect.soft({ line, script, exit: ended, seen }).toMatchObject({ exit })
      if (shown !== undefined && !matches(seen, shown)) expect.soft(seen, `${name}:${line}`).toBe(shown)
    }
  })
})

test('the generated pages are up to date', async () => {
  const checked = await new Promise(resolve => {
    const argv = [join(root, 'scripts/docs.mjs'), '--check']
    execFile(process.execPath, argv, (error, stdout) => resolve({ error, stdout }))
  })
  expect(checked).toEqual({ error: null, stdout: '' })
})

const places = [...pages, 'README.md', 'SECURITY.md']

test('every file that a page names is there', () => {
  const missing = places.flatMap(place => {
    const text = readFileSync(join(root, place), 'utf8')
    const named = [...text.matchAll(/`((?:src|test|scripts|bin)\/[\w./-]*)`/g)].map(([, path = '']) => path)
    return named.filter(path => !existsSync(join(root, path))).map(path => `${place}: ${path}`)
  })
  expect(missing).toEqual([])
})

test('every page that a comment names is there', () => {
  const missing = ['src', 'test', 'scripts'].flatMap(place =>
    readdirSync(join(root, place), { recursive: true, encoding: 'utf8' }).flatMap(name => {
      if (!/\.m?[jt]s$/.test(name)) return []
      const comments = readFileSync(join(root, place, name), 'utf8').match(/^\s*(?:\/\*|\*|\/\/).*/gm) ?? []
      const named = comments.flatMap(comment => comment.match(/[\w./-]*\w\.md\b/g) ?? [])
      return named.filter(path => !existsSync(join(root, path))).map(path => `${place}/${name}: ${path}`)
    }),
  )
  expect(missing).toEqual([])
})

test('every link leads somewhere', () => {
  const broken = places.flatMap(place => {
    const text = readFileSync(join(root, place), 'utf8')
    const links = [...text.matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]*))?\)/g)]
    return links.flatMap(([link, path = '', anchor]) => {
      const target = path === '' ? join(root, place) : join(root, place, '..', path)
      return leads(target, anchor) ? [] : [`${place}: ${link}`]
    })
  })
  expect(broken).toEqual([])
})

function leads(file: string, anchor: string | undefined): boolean {
  try {
    const text = readFileSync(file, 'utf8')
    const headings = [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
      heading
        .toLowerCase()
        .replace(/[^\w\- ]/g, '')
        .replaceAll(' ', '-'),
    )
    return anchor === undefined || headings.includes(anchor)
  } catch {
    return false
  }
}
