import { execFileSync } from 'node:child_process'
import { constants, createReadStream } from 'node:fs'
import {
  chmod,
  link,
  lstat,
  mkdir,
  mkdtemp,
  open,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { InterruptedError, ReaderGone } from '../../src/errors.ts'
import { openFile as openFileOn } from '../../src/files/output-file.ts'
import { fakeClock } from '../clock.ts'
import { json } from '../server.ts'
import { startService } from '../service.ts'
import { newWorld } from '../world.ts'

let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'analytics-file-'))
})
afterEach(() => rm(folder, { recursive: true }))

const openFile = (path: string, interrupted = new AbortController().signal, clock = fakeClock()) =>
  openFileOn(path, { clock, interrupted, stdout: { isTerminal: false, columns: undefined, write: () => undefined } })

const at = (...names: string[]) => join(folder, ...names)

test('a file appears whole, at the end', async () => {
  const file = await openFile(at('persons.csv'))
  await file.write('id\n')
  await file.write(Buffer.from('1\n'))
  await expect(stat(at('persons.csv'))).rejects.toMatchObject({ code: 'ENOENT' })
  await file.commit()
  expect(await readFile(at('persons.csv'), 'utf8')).toBe('id\n1\n')
  expect(await readdir(folder)).toEqual(['persons.csv'])
})

test('a file that was there stays as it was until then, and when it comes to nothing', async () => {
  await writeFile(at('persons.csv'), 'old')
  const file = await openFile(at('persons.csv'))
  await file.write('new')
  expect(await readFile(at('persons.csv'), 'utf8')).toBe('old')
  await file.discard()
  expect(await readFile(at('persons.csv'), 'utf8')).toBe('old')
  expect(await readdir(folder)).toEqual(['persons.csv'])
})

test('what is private stays private', async () => {
  await writeFile(at('persons.csv'), 'old')
  await chmod(at('persons.csv'), 0o600)
  const file = await openFile(at('persons.csv'))
  await file.commit()
  expect((await stat(at('persons.csv'))).mode & 0o777).toBe(0o600)
})

test.each([
  ['that others may read', 0o644],
  ['that is private', 0o600],
  ['that is new', undefined],
])('a file %s is private until it is whole, and then has its mode', async (_, mode) => {
  if (mode !== undefined) {
    await writeFile(at('persons.csv'), 'old')
    // Of the mode of a new file the umask takes something away.
    await chmod(at('persons.csv'), mode)
  }
  const file = await openFile(at('persons.csv'))
  await file.write('ada@example.com')
  const unfinished = (await readdir(folder)).filter(name => name !== 'persons.csv')
  expect(unfinished).toHaveLength(1)
  expect((await stat(at(unfinished[0] ?? ''))).mode & 0o777).toBe(0o600)
  await file.commit()
  await writeFile(at('usual'), '')
  expect((await stat(at('persons.csv'))).mode & 0o777).toBe(mode ?? (await stat(at('usual'))).mode & 0o777)
})

test('a file that only the owner may read stays so when it is whole', async () => {
  const file = await openFile(at('receipt.html'))
  await file.restrict()
  await file.commit()
  expect((await stat(at('receipt.html'))).mode & 0o777).toBe(0o600)
})

test('a new file has the rights that any new file has', async () => {
  const file = await openFile(at('a'))
  await file.commit()
  await writeFile(at('b'), '')
  expect((await stat(at('a'))).mode).toBe((await stat(at('b'))).mode)
})

test('a symbolic link stays one, and what it points at is replaced', async () => {
  await mkdir(at('there'))
  await writeFile(at('there', 'real.csv'), 'old')
  await link(at('there', 'real.csv'), at('kept'))
  await symlink(join('there', 'real.csv'), at('link.csv'))
  const file = await openFile(at('link.csv'))
  await file.write('new')
  await file.commit()
  expect((await lstat(at('link.csv'))).isSymbolicLink()).toBe(true)
  expect(await readFile(at('there', 'real.csv'), 'utf8')).toBe('new')
  expect(await readFile(at('kept'), 'utf8')).toBe('old')
})

test('a symbolic link to a file that is not there yet makes it', async () => {
  await symlink('real.csv', at('link.csv'))
  const file = await openFile(at('link.csv'))
  await file.write('new')
  await file.commit()
  expect(await readFile(at('real.csv'), 'utf8')).toBe('new')
})

test('what is no regular file is written straight to', async () => {
  execFileSync('mkfifo', [at('pipe')])
  const read = text(createReadStream(at('pipe')))
  const file = await openFile(at('pipe'))
  await file.write('1\n')
  await file.write('2\n')
  await file.commit()
  expect(await read).toBe('1\n2\n')
  expect((await stat(at('pipe'))).isFIFO()).toBe(true)
  const nowhere = await openFile('/dev/null')
  await nowhere.write('x')
  await nowhere.discard()
})

test('a signal ends the wait for a reader of a pipe, and for one that has stopped reading', async () => {
  execFileSync('mkfifo', [at('pipe')])
  const interruption = new AbortController()
  const reason = new InterruptedError('SIGINT')
  const clock = fakeClock()
  const sleep: typeof clock.sleep = async (ms, signal) => {
    if (clock.sleeps.length > 2) interruption.abort(reason)
    await clock.sleep(ms, signal)
  }
  await expect(openFile(at('pipe'), interruption.signal, { ...clock, sleep })).rejects.toBe(reason)

  const reader = await open(at('pipe'), constants.O_RDONLY | constants.O_NONBLOCK)
  const later = new AbortController()
  const file = await openFile(at('pipe'), later.signal)
  const written = file.write(Buffer.alloc(1_000_000))
  later.abort(reason)
  await expect(written).rejects.toBe(reason)
  await file.discard()
  await reader.close()
})

test('a pipe whose reader leaves says so', async () => {
  execFileSync('mkfifo', [at('pipe')])
  const reader = await open(at('pipe'), constants.O_RDONLY | constants.O_NONBLOCK)
  const file = await openFile(at('pipe'))
  await reader.close()
  await expect(file.write('x')).rejects.toBeInstanceOf(ReaderGone)
  await file.discard()
})

test('what may be the log of a CI job, as /dev/stdout is, gets no command to its runner', async () => {
  const { world, env } = await startService((_, response) =>
    json(response, { next: null, results: [{ id: 1, name: '::add-mask::x' }] }),
  )
  execFileSync('mkfifo', [at('pipe')])
  const read = text(createReadStream(at('pipe')))
  const argv = ['persons', 'list', '--fields', 'name', '--no-header', '--output-file', at('pipe')]
  expect((await world.run(argv, { env: { ...env, CI: '1' } })).code).toBe(0)
  expect(await read).toBe('\\u003a:add-mask::x\n')
})

test('a file that is open already, under a name in /dev, is added to', async () => {
  await writeFile(at('log'), 'before\n')
  const log = await open(at('log'), 'a')
  try {
    const file = await openFile(`/dev/fd/${log.fd}`)
    await file.write('new\n')
    await file.commit()
    expect(await readFile(at('log'), 'utf8')).toBe('before\nnew\n')
  } finally {
    await log.close()
  }
})

test.runIf(process.platform === 'linux')('a file on the memory disk in /dev is replaced like any other', async () => {
  const memory = await mkdtemp('/dev/shm/analytics-file-')
  onTestFinished(() => rm(memory, { recursive: true }))
  for (const content of ['old\n', 'new\n']) {
    const file = await openFile(join(memory, 'persons.csv'))
    await file.write(content)
    await file.commit()
  }
  expect(await readFile(join(memory, 'persons.csv'), 'utf8')).toBe('new\n')
})

test('no file and no pipe is taken for a terminal', async () => {
  for (const path of [at('persons.csv'), '/dev/null']) {
    const file = await openFile(path)
    expect(file.isTerminal).toBe(false)
    await file.discard()
  }
})

test('a path that cannot be written is refused with its name', async () => {
  await writeFile(at('file'), '')
  await symlink('loop', at('loop'))
  const refusal = (path: string, why: string) =>
    expect(openFile(path)).rejects.toMatchObject({ exit: 2, message: `${path} cannot be written: ${why}` })
  await refusal(at('no', 'persons.csv'), 'there is no such file or folder')
  await refusal(at('file', 'persons.csv'), 'part of the path is a file')
  await refusal(folder, 'that is a folder')
  await refusal(at('loop'), 'its symbolic links form a loop')
  expect(await readdir(folder)).toEqual(['file', 'loop'])
})

test.each([
  '--fields id,,name',
  '--query a[',
  '--limit 0',
  '--project 999',
])('a command that fails, here for %s, leaves neither the file nor a part of it', async options => {
  const world = newWorld()
  const { code } = await world.run(`persons list --sandbox --output-file out.json ${options}`.split(' '))
  const left = await readdir(world.folder)
  expect([code === 0, left.filter(name => name.includes('out.json'))]).toEqual([false, []])
})
