/** The scripts of `analytics completion`, in the shells that they are for. */
import { describe, expect, test } from 'vitest'
import { file, has, type ShellName, screenAfter, tab, typed } from './shell.ts'

const names: readonly ShellName[] = ['bash', 'zsh', 'fish']

const lines: readonly (readonly [what: string, keys: string, words: string])[] = [
  ['words of the tree', `analytics pers${tab}up${tab}`, 'analytics persons update'],
  ['an option', `analytics persons list --lim${tab}`, 'analytics persons list --limit'],
  ['what several options begin with', `analytics persons list --prop${tab}`, 'analytics persons list --propert'],
  ['a value behind a blank', `analytics persons list -o nd${tab}`, 'analytics persons list -o ndjson'],
  ['a value behind =', `analytics persons list --output=nd${tab}`, 'analytics persons list --output=ndjson'],
  ['a list of fields', `analytics persons list --fields id,na${tab}`, 'analytics persons list --fields id,name'],
  [
    'a list of fields, and goes on',
    `analytics persons list --fields id,pro${tab}.${tab}`,
    `analytics persons list --fields id,properties.email`,
  ],
  [
    'a path with braces',
    `analytics api GET /api/projects/{project}/ev${tab}`,
    'analytics api GET /api/projects/{project}/event_definitions/',
  ],
  ['within quotes', `analytics persons list --fields "id,na${tab}`, 'analytics persons list --fields id,name'],
  [
    'behind a quoted blank',
    `analytics persons list --search "a b" --lim${tab}`,
    'analytics persons list --search a b --limit',
  ],
  [
    'a file with a blank in its name',
    `analytics persons delete --from my${tab}`,
    'analytics persons delete --from my list.txt',
  ],
  ['the same behind =', `analytics persons delete --from=my${tab}`, 'analytics persons delete --from=my list.txt'],
  [
    'nothing where nothing fits',
    `analytics persons list --fields nosuch${tab}`,
    'analytics persons list --fields nosuch',
  ],
  [
    'nothing within what is no option',
    `analytics persons list --nosuch=a:b@c,d${tab}`,
    'analytics persons list --nosuch=a:b@c,d',
  ],
  ['a file', `analytics persons delete --from ids${tab}`, `analytics persons delete --from ${file}`],
  ['a file behind =', `analytics persons delete --from=ids${tab}`, `analytics persons delete --from=${file}`],
]

describe.each(names)('%s completes', name => {
  if (!has(name)) return test.skip(`nothing: ${name}, or script of util-linux, is not installed here`)
  test.concurrent.each(lines)('%s', async (_, keys, words) => {
    expect((await typed(name, keys)).join(' ')).toBe(words)
  })

  test.concurrent('shows beside each command what it does', async () => {
    const screen = await screenAfter(name, `analytics plugins u${tab}${tab}`)
    expect(screen).toMatch(/upgrade .*Upgrade a plugin/)
  })
})

const paths: readonly (readonly [keys: string, path: string])[] = [
  [`sp/my\\ li${tab}`, 'sp/my list.txt'],
  [`sp/my\\ l${tab}`, 'sp/my l'],
  [`sp/my\\ ${tab}${tab}${tab}`, 'sp/my l'],
  [`sp/m${tab}is${tab}`, 'sp/my list.txt'],
  [`"sp/my li${tab}`, 'sp/my list.txt'],
  [`'sp/my li${tab}`, 'sp/my list.txt'],
  [`sp/"my li${tab}`, 'sp/my list.txt'],
  [`two\\ w${tab}l${tab}`, 'two words/list.txt'],
  [`it${tab}a${tab}`, "it's/a list.txt"],
  [`it\\'s/a\\ l${tab}`, "it's/a list.txt"],
  [`"it's/a l${tab}`, "it's/a list.txt"],
]

describe('bash completes a path to the file that was begun', () => {
  if (!has('bash')) return test.skip('nothing: bash, or script of util-linux, is not installed here')
  test.concurrent.each(paths)('%j', async (keys, path) => {
    const line = 'analytics persons delete --emails-from'
    expect([await typed('bash', `${line} ${keys}`), await typed('bash', `${line}=${keys}`)]).toEqual([
      [...line.split(' '), path],
      [...line.split(' ').slice(0, -1), `--emails-from=${path}`],
    ])
  })
})

describe('zsh completes a path to the file that was begun', () => {
  if (!has('zsh')) return test.skip('nothing: zsh, or script of util-linux, is not installed here')
  test.concurrent.each([
    [`sp/team=l${tab}`, 'sp/team=list.txt'],
    [`"sp/team=l${tab}`, 'sp/team=list.txt'],
    [`sp/my\\ li${tab}`, 'sp/my list.txt'],
  ])('%j', async (keys, path) => {
    const words = await typed('zsh', `analytics persons delete --emails-from=${keys}`)
    expect(words.at(-1)).toBe(`--emails-from=${path}`)
  })
})
