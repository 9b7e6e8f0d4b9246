/** The Debian package: the executable, its man pages, and completions for bash, zsh and fish in their places. */
import { execFileSync } from 'node:child_process'
import { chmodSync, copyFileSync, lutimesSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'

/** Writes `file`. `licences`: the text of `copyright`; `time`: seconds since 1970 that all files bear. */
export function writeDeb({ root, work, executable, file, version, licences, time }) {
  const tree = join(work, 'deb')
  const put = (path, content, mode = 0o644) => {
    const target = join(tree, path)
    mkdirSync(dirname(target), { recursive: true })
    writeFileSync(target, content)
    chmodSync(target, mode)
  }
  const printed = (...argv) => execFileSync(executable, argv, { encoding: 'utf8', env: {}, maxBuffer: 2 ** 26 })

  put('usr/bin/analytics', '')
  copyFileSync(executable, join(tree, 'usr/bin/analytics'))
  chmodSync(join(tree, 'usr/bin/analytics'), 0o755)
  put('usr/share/bash-completion/completions/analytics', printed('completion', 'bash'))
  put('usr/share/zsh/vendor-completions/_analytics', printed('completion', 'zsh'))
  put('usr/share/fish/vendor_completions.d/analytics.fish', printed('completion', 'fish'))
  for (const name of readdirSync(join(root, 'dist/man'))) {
    const page = readFileSync(join(root, 'dist/man', name))
    put(`usr/share/man/man${name.at(-1)}/${name}.gz`, gzipSync(page, { level: 9 }))
  }
  put('usr/share/doc/analytics/copyright', licences)
  put('usr/share/doc/analytics/changelog.gz', gzipSync(readFileSync(join(root, 'CHANGELOG.md')), { level: 9 }))
  const size = Math.ceil(readFileSync(executable).length / 1024)
  put('DEBIAN/control', control(version, size))

  settle(tree, time)
  const env = { ...process.env, SOURCE_DATE_EPOCH: String(time) }
  execFileSync('dpkg-deb', ['--root-owner-group', '-Zxz', '--threads-max=1', '--build', tree, file], {
    env,
    stdio: 'ignore',
  })
}

function control(version, size) {
  return `Package: analytics
Version: ${version}
Architecture: amd64
Maintainer: The analytics maintainers <maintainers@example.com>
Installed-Size: ${size}
Depends: libc6 (>= 2.28), libstdc++6
Section: admin
Priority: optional
Description: administration tool of an analytics service
 Persons, plugins, event definitions and projects from a terminal, a script or
 a CI job, with a sandbox to try everything on.
`
}

/** Gives each file and folder the same time and folders the same mode, whatever the umask. */
function settle(folder, time) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) settle(path, time)
    lutimesSync(path, time, time)
  }
  chmodSync(folder, 0o755)
  lutimesSync(folder, time, time)
}
