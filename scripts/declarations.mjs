/** The tables of the code as they are, for pages that are written from them. */
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const root = dirname(dirname(fileURLToPath(import.meta.url)))

/** The tree imports the file of a command only when it is called: here none is. */
const commandsLeftOut = {
  name: 'commands-left-out',
  setup({ onResolve }) {
    onResolve({ filter: /^/ }, ({ path, kind }) => (kind === 'dynamic-import' ? { path, external: true } : undefined))
  },
}

export async function declarations() {
  const { outputFiles } = await build({
    absWorkingDir: root,
    stdin: {
      contents: `export { exits } from './src/errors.ts'
export { settingRows } from './src/config/settings.ts'
export { variables } from './src/commands/help/variables.ts'
export { tree } from './src/commands/tree.ts'
export { exampleLines } from './src/cli/command.ts'`,
      resolveDir: root,
    },
    bundle: true,
    plugins: [commandsLeftOut],
    format: 'esm',
    platform: 'node',
    write: false,
  })
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString('base64')}`)
}
