/** Where others can write, a link or a file may be a trap that somebody set. */
import { chmodSync, chownSync, lchownSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { isRoot } from '../trust/shell.ts'
import { newWorld, type World } from '../world.ts'

const commands = [
  ['--receipt', 'persons delete 1 --yes --receipt FILE'],
  ['--backup', 'persons delete 1 --yes --backup FILE'],
  ['--plan', 'persons delete 1 --plan FILE'],
  ['--unmatched', 'persons delete --emails-from list.txt --yes --unmatched FILE'],
  ['--previous', 'projects apply 1 -f settings.yaml --yes --previous FILE'],
  ['--markdown', 'projects diff 1 -f settings.yaml --markdown FILE'],
] as const

const other = 65_534

function sharedFolder(mode = 0o1777): { world: World; at: (name: string) => string } {
  const world = newWorld()
  const at = (name: string) => join(world.folder, name)
  writeFileSync(at('list.txt'), 'nobody@example.com\n')
  writeFileSync(at('settings.yaml'), 'name: Another name\n')
  mkdirSync(at('shared'))
  chmodSync(at('shared'), mode)
  writeFileSync(at('victim'), 'mine')
  return { world, at }
}

async function runs(world: World, command: string, file: string) {
  const ran = await world.run([...command.replace('FILE', file).split(' '), '--sandbox'])
  const [person, project] = await Promise.all([
    world.run('persons get 1 --sandbox'.split(' ')),
    world.run('projects get 1 --sandbox --fields name -o csv'.split(' ')),
  ])
  return { ...ran, isUnchanged: person.code === 0 && !project.stdout.includes('Another name') }
}

const refused = (why: string) => ({ code: 2, isUnchanged: true, stderr: expect.stringContaining(why) })
const isLink = refused('cannot be written: a link leads there from a folder that others can write to')
const isForeign = refused('cannot be written: it belongs to another user, in a folder that others can write to')

describe.each(commands)('%s in a folder that others can write to', (_, command) => {
  test.each([
    ['a link to a file', '../victim', 'shared/link'],
    ['a link to a file that is not there', '../new', 'shared/link'],
    ['a link to a folder', '..', 'shared/link/victim'],
  ])('is not written through %s', async (_, to, file) => {
    const { world, at } = sharedFolder()
    symlinkSync(to, at('shared/link'))
    expect(await runs(world, command, file)).toMatchObject(isLink)
    expect(readFileSync(at('victim'), 'utf8')).toBe('mine')
  })

  test('is not written through a link outside that leads to one in it', async () => {
    const { world, at } = sharedFolder()
    symlinkSync('../victim', at('shared/link'))
    symlinkSync('shared/link', at('outside'))
    expect(await runs(world, command, 'outside')).toMatchObject(isLink)
  })

  test.skipIf(!isRoot)('is not written into a file of a third user', async () => {
    for (const mode of [0o1777, 0o775]) {
      const { world, at } = sharedFolder(mode)
      writeFileSync(at('shared/theirs'), '')
      chmodSync(at('shared/theirs'), 0o666)
      chownSync(at('shared/theirs'), other, other)
      expect(await runs(world, command, 'shared/theirs')).toMatchObject(isForeign)
      expect(readFileSync(at('shared/theirs'), 'utf8')).toBe('')
    }
  })

  test('is written into a new file, and into that file again', async () => {
    const { world } = sharedFolder()
    expect((await runs(world, command, 'shared/new')).stderr).not.toContain('cannot be written')
    expect((await runs(world, command, 'shared/new')).stderr).not.toContain('cannot be written')
  })
})

test.skipIf(!isRoot)("the folder's owner may own the file and the links where only a group can write too", async () => {
  const { world, at } = sharedFolder(0o775)
  await world.run(['persons', 'delete', '1', '--yes', '--sandbox'])
  writeFileSync(at('shared/file'), '')
  symlinkSync('file', at('shared/link'))
  for (const name of ['shared', 'shared/file']) chownSync(at(name), other, other)
  lchownSync(at('shared/link'), other, other)
  expect((await world.run(['jobs', 'receipt', '--last', '--sandbox', '--html', 'shared/link'])).code).toBe(0)
  lchownSync(at('shared/link'), 1, 1)
  expect(await world.run(['jobs', 'receipt', '--last', '--sandbox', '--html', 'shared/link'])).toMatchObject({
    code: 2,
  })
})

test('where only the owner can write, a link is followed', async () => {
  const { world, at } = sharedFolder(0o755)
  await world.run(['persons', 'delete', '1', '--yes', '--sandbox'])
  symlinkSync('../victim', at('shared/link'))
  expect((await world.run(['jobs', 'receipt', '--last', '--sandbox', '--html', 'shared/link'])).code).toBe(0)
  expect(readFileSync(at('victim'), 'utf8')).not.toBe('mine')
})
