/** Replaces the package `string-width` by our own `cells`, so that all tables count the width of text in one way. */
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const root = dirname(dirname(fileURLToPath(import.meta.url)))

/** For esbuild. */
export const ownWidth = {
  name: 'own-width',
  setup({ onLoad, onResolve }) {
    onResolve({ filter: /^string-width$/ }, ({ path }) => ({ path, namespace: 'own-width' }))
    onLoad({ filter: /^/, namespace: 'own-width' }, () => ({
      contents: `module.exports = require('./src/text/cells.ts').cells`,
      resolveDir: root,
    }))
  },
}

/** For vitest, which leaves packages to Node: cli-table3 bundled as the build bundles it. */
export const tableWithOwnWidth = {
  name: 'table-with-own-width',
  enforce: 'pre',
  resolveId: id => (id === 'cli-table3' ? '\0cli-table3' : undefined),
  async load(id) {
    if (id !== '\0cli-table3') return undefined
    const { outputFiles } = await build({
      absWorkingDir: root,
      entryPoints: ['cli-table3'],
      bundle: true,
      format: 'esm',
      platform: 'node',
      write: false,
      plugins: [ownWidth],
    })
    return outputFiles[0].text
  },
}
