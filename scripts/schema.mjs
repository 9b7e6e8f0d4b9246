/** The JSON Schema of a project's settings file, from the rows in `src/api/resources.ts`. */
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const root = dirname(dirname(fileURLToPath(import.meta.url)))

/** The schema as text, ready to be written to a file. */
export async function settingsSchemaText() {
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: ['src/settings/schema.ts'],
    bundle: true,
    format: 'esm',
    platform: 'node',
    write: false,
  })
  const { settingsSchema } = await import(
    `data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString('base64')}`
  )
  return `${JSON.stringify(settingsSchema(), null, 2)}\n`
}
