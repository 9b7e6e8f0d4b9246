/** Folders, names of files, line ends and devices. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { serve } from '../server.ts'
import { accepting } from '../service.ts'
import { inFolder, newFolder, onWindows, windowsPath } from './program.ts'

async function newService() {
  const folder = newFolder()
  const server = await serve(accepting)
  const env = { ...inFolder(folder), ...server.env }
  const run = (...argv: readonly string[]) => onWindows(argv, env, '', folder)
  const write = (name: string, text: string) => {
    writeFileSync(join(folder, name), text)
    return windowsPath(join(folder, name))
  }
  return { folder, server, env, run, write }
}

test('profiles are in the roaming folder of the user, jobs in the local one, unless a variable names another', async () => {
  const { stdout } = await onWindows(['--sandbox', 'doctor'], {})
  expect(stdout).toMatch(/state folder +ok +[A-Z]:\\.*\\AppData\\Local\\analytics\n/)
  expect(stdout).toMatch(/profiles .*\\AppData\\Roaming\\analytics\\config.json/)
  const xdg = { XDG_STATE_HOME: 'C:\\state', XDG_CONFIG_HOME: 'C:\\config', ANALYTICS_CONFIG_DIR: 'C:\\own' }
  const named = await onWindows(['--sandbox', 'doctor'], xdg)
  expect(named.stdout).toContain('C:\\state\\analytics\n')
  expect(named.stdout).toContain('C:\\own\\config.json')
})

test('no message is about modes or owners', async () => {
  const { env, write } = await newService()
  const key = write('key.txt', '\ufeffkey-of-file\r\n')
  const { ANALYTICS_API_KEY: _, ...withoutKey } = env
  const { stderr, code } = await onWindows(['persons', 'get', '1'], { ...withoutKey, ANALYTICS_API_KEY_FILE: key })
  expect([code, stderr]).toEqual([0, ''])
})

test('lists, rows, settings, keys and headers may have line ends of Windows, and output has none', async () => {
  const { folder, server, run, env, write } = await newService()
  const list = write('ids ü.txt', '1\r\n2\r\n2\r\n')
  const files = ['receipt', 'backup', 'unmatched'].map(name => windowsPath(join(folder, `${name} ü`)))
  const options = ['--receipt', '--backup', '--unmatched'].flatMap((option, i) => [option, files[i] ?? ''])
  const deleted = await run('persons', 'delete', '--from', list, '--yes', '-o', 'csv', ...options)
  expect([deleted.code, deleted.stdout]).toEqual([0, 'id,status,error\n1,deleted,\n2,deleted,\n'])
  expect(JSON.parse(readFileSync(join(folder, 'receipt ü'), 'utf8')).counts).toMatchObject({ deleted: 2 })
  expect(readFileSync(join(folder, 'backup ü'), 'utf8')).toMatch(/^\{"job".*\}\n\{"job".*\}\n$/)

  const rows = write('rows.csv', 'id,properties.plan\r\n1,pro\r\n2,"a\r\nb"\r\n')
  expect((await run('persons', 'update', '--rows', rows, '--yes')).code).toBe(0)
  const sent = server.asked.filter(({ method }) => method === 'PATCH').map(({ body }) => JSON.parse(body).properties)
  expect(sent).toEqual(expect.arrayContaining([expect.objectContaining({ plan: 'pro' })]))

  mkdirSync(join(folder, 'settings ü'))
  write('settings ü/shop.yaml', 'project: 1\r\nname: Shop\r\nis_demo: true\r\n')
  const diff = await run('projects', 'diff', '-f', windowsPath(join(folder, 'settings ü')))
  expect(diff.code, diff.stderr).toBe(9)
  expect(diff.stdout).toContain('+ name: Shop\n')
  expect(diff.stdout).not.toContain('\r')

  const headers = write('headers.txt', '# for the proxy\r\nX-Access: a b\r\n\r\n')
  const got = await onWindows(['persons', 'get', '1', '-o', 'json'], { ...env, ANALYTICS_HEADERS_FILE: headers })
  expect(got.code, got.stderr).toBe(0)
  expect(server.asked.at(-1)?.headers['x-access']).toBe('a b')
})

test('NUL is an empty file to read, and no file to write', async () => {
  const { folder, run } = await newService()
  const nothing = await run('persons', 'delete', '--from', 'NUL', '--yes')
  expect([nothing.code, nothing.stderr]).toEqual([0, expect.stringContaining('Nothing to do')])
  const refused = await run('persons', 'delete', '1', '2', '--yes', '--receipt', 'nul')
  expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('--receipt')])
  expect(readdirSync(folder).filter(name => /^nul$/i.test(name))).toEqual([])
})

test('two options that name one file are refused, whatever its case', async () => {
  const { run, write } = await newService()
  write('ids.txt', '1\r\n')
  const refused = await run('persons', 'delete', '--from', '.\\ids.txt', '--yes', '--receipt', 'IDS.TXT')
  expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('--receipt')])
})

test('a settings file that applies is compared, and a second apply changes nothing', async () => {
  const folder = newFolder()
  const run = (...argv: readonly string[]) => onWindows(['--sandbox', ...argv], inFolder(folder), '', folder)
  const pulled = await run('projects', 'pull', '1')
  writeFileSync(
    join(folder, 'shop.yaml'),
    pulled.stdout.replace(/is_demo: .*/, 'is_demo: true').replaceAll('\n', '\r\n'),
  )
  const apply = ['projects', 'apply', '-f', '.\\shop.yaml', '--yes']
  expect((await run(...apply)).code).toBe(0)
  expect(await run(...apply)).toMatchObject({ code: 0, stderr: expect.stringContaining('No changes') })
})

test('the sandbox serves several processes at once, and can be reset', async () => {
  const env = inFolder(newFolder())
  const listed = await Promise.all(
    Array.from({ length: 4 }, () => onWindows(['--sandbox', 'persons', 'list', '--all', '-o', 'ids'], env)),
  )
  expect(new Set(listed.map(({ stdout }) => stdout)).size).toBe(1)
  expect(listed.map(({ code }) => code)).toEqual([0, 0, 0, 0])
  expect((await onWindows(['--sandbox', 'persons', 'delete', '1', '--yes'], env)).code).toBe(0)
  expect((await onWindows(['sandbox', 'reset', '--yes'], env)).code).toBe(0)
  expect((await onWindows(['--sandbox', 'persons', 'get', '1'], env)).code).toBe(0)
  expect(JSON.parse((await onWindows(['jobs', 'list', '-o', 'json'], env)).stdout)).toEqual([])
})

test('ten processes that add a profile at once leave ten profiles, and nothing else', async () => {
  const folder = newFolder()
  const names = Array.from({ length: 10 }, (_, i) => `p${i}`)
  const add = (name: string) =>
    onWindows(
      ['profiles', 'add', name, '--base-url', 'https://a.example.com', '--api-key-stdin'],
      inFolder(folder),
      `key-of-${name}\r\n`,
    )
  const ran = await Promise.all(names.map(add))
  expect(ran.filter(({ code }) => code !== 0)).toEqual([])
  const stored = JSON.parse(readFileSync(join(folder, 'config/config.json'), 'utf8'))
  expect(Object.keys(stored.profiles).sort()).toEqual(names)
  expect(stored.profiles.p3.apiKey).toBe('key-of-p3')
  expect(readdirSync(join(folder, 'config'))).toEqual(['config.json'])
})

test('completion prints a script of PowerShell, and words', async () => {
  const script = await onWindows(['completion', 'powershell'], {})
  expect(script.stdout).toContain('Register-ArgumentCompleter -Native -CommandName analytics')
  const words = await onWindows(['__complete', '--', 'persons', 'delete-'], {})
  expect(words.stdout).toMatch(/^delete-property\b/)
})
