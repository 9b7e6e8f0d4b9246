import { spawnSync } from 'node:child_process'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildSync } from 'esbuild'
import { expect, test } from 'vitest'
import { writeAll } from '../../src/files/regular-file.ts'
import { needsPosix } from '../posix.ts'
import { newWorld } from '../world.ts'

needsPosix('a shell')

test('text and bytes are appended', () => {
  const path = join(newWorld().folder, 'a')
  const file = openSync(path, 'w')
  writeAll(file, 'café ')
  writeAll(file, Buffer.from('123'))
  writeAll(file, '')
  closeSync(file)
  expect(readFileSync(path, 'utf8')).toBe('café 123')
})

/** With a limit on the size of files, the system writes only a part, and the next write fails. */
test('after a partial write the rest is written, so an error is reported', () => {
  const path = join(newWorld().folder, 'a')
  const contents = `import { openSync } from 'node:fs'
    import { writeAll } from '../../src/files/regular-file.ts'
    try {
      writeAll(openSync(process.argv[1], 'w'), 'abc'.repeat(3000))
    } catch ({ code }) {
      process.stdout.write(code)
    }`
  const stdin = { contents, resolveDir: import.meta.dirname }
  const built = buildSync({ stdin, bundle: true, platform: 'node', format: 'esm', write: false })
  const program = built.outputFiles[0]?.text ?? ''
  const line = 'ulimit -f 1; exec "$0" --input-type=module -e "$1" "$2"'
  const { stdout } = spawnSync('bash', ['-c', line, process.execPath, program, path], { encoding: 'utf8' })
  const written = readFileSync(path, 'utf8')
  expect([stdout, 'abc'.repeat(3000).startsWith(written)]).toEqual(['EFBIG', true])
  expect(written.length).toBeGreaterThan(0)
})
