/**
 * The image of `Containerfile` without an engine: its user, its variables and its entry point, in a root folder that
 * nobody can write to, with the state in a volume.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, copyFileSync, mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { containerfile } from '../install/containerfile.ts'
import { addLibraries, executable, newFolder, ownFolder } from './program.ts'

const { user, volume, env, entrypoint, executable: place } = containerfile()
const canMount = spawnSync('unshare', ['--mount', 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt']).status === 0

describe.runIf(canMount)('a container', () => {
  const image = newFolder()
  const state = newFolder()
  beforeAll(() => {
    mkdirSync(dirname(join(image, place)), { recursive: true })
    copyFileSync(executable, join(image, place))
    chmodSync(join(image, place), 0o755)
    addLibraries(image)
    mkdirSync(join(image, volume))
    ownFolder(state, '')
  })

  /** A new container with the same volume. */
  function container(...argv: readonly string[]) {
    const script = `
      mount --bind "$IMAGE" "$IMAGE" && mount --bind "$STATE" "$IMAGE${volume}" &&
      mount -o remount,bind,ro "$IMAGE" &&
      exec env --ignore-environment ${env.map(([name, value]) => `${name}=${value}`).join(' ')} \\
        "$(command -v unshare)" --root="$IMAGE" --wd=/ --setgid=${user} --setuid=${user} "$@"`
    const words = ['--mount', 'sh', '-c', script, 'sh', ...entrypoint, ...argv]
    const { status, stdout, stderr } = spawnSync('unshare', words, {
      env: { PATH: process.env.PATH, IMAGE: image, STATE: state },
      encoding: 'utf8',
    })
    return { code: status, stdout, stderr }
  }

  test('keeps the sandbox and the jobs in the volume, for the next container', () => {
    expect(container('--sandbox', 'persons', 'list', '--search', 'ada', '-o', 'ids')).toMatchObject({
      code: 0,
      stdout: '55\n',
    })
    expect(container('--sandbox', 'persons', 'delete', '3', '4', '--yes')).toMatchObject({ code: 0 })
    const { stdout } = container('--sandbox', 'jobs', 'list', '-o', 'json')
    expect(JSON.parse(stdout)).toMatchObject([{ state: 'done', total: 2, done: 2 }])
    const kept = execFileSync('find', [state, '-not', '-user', String(user)], { encoding: 'utf8' })
    expect(kept).toBe('')
  })

  test('can write nowhere else', () => {
    const { code, stderr } = container('--sandbox', 'persons', 'list', '--output-file', '/list.txt')
    expect([code, stderr]).toEqual([2, expect.stringContaining('/list.txt')])
  })
})
