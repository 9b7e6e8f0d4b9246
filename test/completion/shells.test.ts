/** The scripts of `analytics completion`, in the shells that they are for. */
import { describe, expect, test } from 'vitest'
import { has, type ShellName, tab, typed } from './shell.ts'

const names: readonly ShellName[] = ['bash', 'zsh', 'fish']

describe.each(names)('%s', name => {
  const inShell = has(name) ? test.concurrent : test.skip

  const lines: readonly (readonly [what: string, keys: string, words: string])[] = [
    ['words of the tree', `analytics pers${tab}up${tab}`, 'analytics persons update'],
    ['options', `analytics persons list --prop${tab}`, 'analytics persons list --prop'],
    ['options that nothing else begins like', `analytics persons list --lim${tab}`, 'analytics persons list --limit'],
    ['values behind a blank', `analytics persons list -o nd${tab}`, 'analytics persons list -o ndjson'],
    ['values behind =', `analytics persons list --output=nd${tab}`, 'analytics persons list --output=ndjson'],
    [
      'time zones',
      `analytics projects update 1 --timezone Europe/Lisb${tab}`,
      'analytics projects update 1 --timezone Europe/Lisbon',
    ],
    ['lists of fields', `analytics persons list --fields id,na${tab}`, 'analytics persons list --fields id,name'],
    ['files', `touch ids.txt; analytics persons delete --from id${tab}`, 'ids.txt'],
  ]

  inShell.each(lines)('%s', async (_, keys, words) => {
    const seen = await typed(name, keys)
    expect(seen.join(' ')).toContain(words)
  })
})
