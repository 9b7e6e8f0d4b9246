/** The Debian package: the executable, its man pages, and completions for bash, zsh and fish in their places. */
import { execFileSync } from 'node:child_process'
import { chmodSync, copyFileSync, lutimesSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { homepage, root, version } from './project.mjs'

/** Of the package: the version of the program, and how often it was packaged. */
export const debianVersion = `${version}-1`
const maintainer = 'The analytics maintainers <maintainers@analytics.invalid>'

/** Writes `file`. `machine`: Debian's name of it; `licences`: the text of `copyright`; `time`: seconds since 1970 that all files bear. */
export function writeDeb({ work, executable, machine, file, licences, time }) {
  const tree = join(work, 'deb')
  const put = (path, content) => {
    const target = join(tree, path)
    mkdirSync(dirname(target), { recursive: true })
    writeFileSync(target, content)
    chmodSync(target, 0o644)
  }
  const printed = (...argv) =>
    execFileSync(process.execPath, [join(root, 'bin/analytics.js'), ...argv], { encoding: 'utf8', env: {} })
  const zipped = content => gzipSync(content, { level: 9 })

  put('usr/bin/analytics', '')
  copyFileSync(executable, join(tree, 'usr/bin/analytics'))
  chmodSync(join(tree, 'usr/bin/analytics'), 0o755)
  put('usr/share/bash-completion/completions/analytics', printed('completion', 'bash'))
  put('usr/share/zsh/vendor-completions/_analytics', printed('completion', 'zsh'))
  put('usr/share/fish/vendor_completions.d/analytics.fish', printed('completion', 'fish'))
  for (const name of readdirSync(join(root, 'dist/man'))) {
    put(`usr/share/man/man1/${name}.gz`, zipped(readFileSync(join(root, 'dist/man', name))))
  }
  put('usr/share/doc/analytics/copyright', licences)
  put('usr/share/doc/analytics/changelog.gz', zipped(readFileSync(join(root, 'CHANGELOG.md'))))
  put('usr/share/doc/analytics/changelog.Debian.gz', zipped(changelog(time)))
  put('usr/share/lintian/overrides/analytics', overrides)
  put('DEBIAN/control', control(machine, Math.ceil(readFileSync(executable).length / 1024)))

  settle(tree, time)
  const env = { ...process.env, SOURCE_DATE_EPOCH: String(time) }
  execFileSync('dpkg-deb', ['--root-owner-group', '-Zxz', '--threads-max=1', '--build', tree, file], {
    env,
    stdio: 'ignore',
  })
}

function control(machine, size) {
  return `Package: analytics
Version: ${debianVersion}
Architecture: ${machine}
Maintainer: ${maintainer}
Installed-Size: ${size}
Depends: libc6 (>= 2.28), libgcc-s1, libstdc++6
Section: admin
Priority: optional
Homepage: ${homepage}
Description: administration tool of an analytics service
 Persons, plugins, event definitions and projects from a terminal, a script or
 a CI job, with a sandbox to try everything on.
`
}

function changelog(time) {
  const date = new Date(time * 1000).toUTCString().replace('GMT', '+0000')
  return `analytics (${debianVersion}) unstable; urgency=medium

  * Version ${version}; what changed is in changelog.gz.

 -- ${maintainer}  ${date}
`
}

/** Node's program comes with its own zlib. */
const overrides = 'analytics: embedded-library zlib [usr/bin/analytics]\n'

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
