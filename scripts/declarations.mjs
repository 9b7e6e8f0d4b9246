/** What the code declares, for pages that are written from it. */
import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const root = dirname(dirname(fileURLToPath(import.meta.url)))

export async function declarations() {
  const { outputFiles } = await build({
    absWorkingDir: root,
    stdin: {
      contents: `export { exits } from './src/errors.ts'
export { settingRows } from './src/config/settings.ts'
export { variables } from './src/commands/help/topics.ts'
export { allCommands } from './scripts/all-commands.ts'`,
      resolveDir: root,
    },
    bundle: true,
    packages: 'external',
    format: 'cjs',
    platform: 'node',
    write: false,
  })
  const module = { exports: {} }
  new Function('module', 'exports', 'require', outputFiles[0].text)(
    module,
    module.exports,
    createRequire(import.meta.url),
  )
  return module.exports
}
