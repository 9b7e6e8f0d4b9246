/** What a release says of the project; who owns it stands in `repository` of package.json only. */
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))
export const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
export const { version } = manifest
/** `owner/name`, as GitHub has it. */
export const repository = manifest.repository.replace('github:', '')
export const homepage = `https://github.com/${repository}`
