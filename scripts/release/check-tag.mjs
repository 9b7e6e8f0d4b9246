/** Stops a release whose tag, version, changelog and project do not fit: run by the workflow, which sets the variables. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { repository, root, version } from './project.mjs'

const { GITHUB_REF_NAME: tag, GITHUB_REPOSITORY: here } = process.env
const changelog = readFileSync(join(root, 'CHANGELOG.md'), 'utf8')
const faults = [
  tag !== `v${version}` && `The tag is ${tag}, but the version in package.json is ${version}`,
  repository.startsWith('OWNER/') && 'package.json still has the placeholder OWNER in `repository`',
  here !== repository && `The project is ${here}, but package.json says ${repository}`,
  !new RegExp(`^## ${version} \\(\\d{4}-\\d\\d-\\d\\d\\)$`, 'm').test(changelog) &&
    `CHANGELOG.md has no heading "## ${version} (the day, as 2026-01-31)"`,
].filter(Boolean)
for (const fault of faults) process.stderr.write(`${fault}\n`)
process.exitCode = faults.length > 0 ? 1 : 0
