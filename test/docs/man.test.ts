/** The manual pages of the package: a page for each group, with every command and option, and nothing that groff objects to. */
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }
import { describeProgram } from '../../src/commands/commands/describe.ts'
import { tree } from '../../src/commands/tree.ts'

const root = join(import.meta.dirname, '../..')
const pages = readdirSync(join(root, 'dist/man'))

/** What groff prints for a page in 80 columns, and what it complains about. */
function printed(page: string) {
  const env = { PATH: process.env.PATH, LC_ALL: 'C.UTF-8', MANWIDTH: '80', MANROFFSEQ: '' }
  const { stdout, stderr, status } = spawnSync('man', ['--warnings', '-E', 'UTF-8', '-l', '-P', 'cat', page], {
    cwd: join(root, 'dist/man'),
    env,
    encoding: 'utf8',
  })
  // Bold and underlined characters are printed over each other.
  return { text: stdout.replace(/.\u0008/g, ''), stderr, status }
}

test('there is one for the program and one for each group, and the package names them', () => {
  const groups = Object.entries(tree).flatMap(([word, node]) => (typeof node === 'function' ? [] : [word]))
  expect(pages.toSorted()).toEqual(['analytics.1', ...groups.map(word => `analytics-${word}.1`)].toSorted())
  expect(manifest.man.toSorted()).toEqual(pages.map(page => `dist/man/${page}`).toSorted())
})

test('every command and option is in one', async () => {
  const text = new Map(
    pages.map(page => [page, readFileSync(join(root, 'dist/man', page), 'utf8').replaceAll('\\-', '-')]),
  )
  for (const { words, options, examples } of (await describeProgram(tree)).slice(1)) {
    const [group, verb] = words.split(' ')
    const page = text.get(verb ? `analytics-${group}.1` : 'analytics.1') ?? ''
    expect(page).toContain(`.SS ${words}\n`)
    const own = options.filter(({ negatable }) => !negatable).map(({ name }) => name)
    expect([words, own.filter(name => !page.includes(`\\fB${name}\\fR`))]).toEqual([words, []])
    expect([words, examples.length > 0 && page.includes('\nExamples:\n')]).toEqual([words, true])
  }
})

const missing = spawnSync('man', ['--version']).status !== 0 || spawnSync('groff', ['--version']).status !== 0

describe.skipIf(missing)('man, where it is installed with groff,', () => {
  test.each(pages)('prints %s without a warning, in 80 columns', page => {
    const { text, stderr, status } = printed(page)
    expect([stderr, status]).toEqual(['', 0])
    const head = text.split('\n').slice(0, 5).join('\n')
    expect(head).toContain('NAME')
    // A command line is broken only before an option.
    expect(text.split('\n').filter(line => line.length > 80 && !/^ +analytics (?!.* -)/.test(line))).toEqual([])
  })

  test('prints what a shell takes: ASCII quotes and hyphens', () => {
    const { text } = printed('analytics-persons.1')
    const typed = text.split('\n').filter(line => line.trimStart().startsWith('analytics '))
    expect(typed.length).toBeGreaterThan(20)
    expect(typed.filter(line => /[^ -~]/.test(line) && !line.includes('…'))).toEqual([])
  })
})
