/** The JSON Schemas that ship with the package: of a settings file, and of a manifest of many projects. */
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const root = dirname(dirname(fileURLToPath(import.meta.url)))

/** The schemas as text, by the name of the file that each goes into. */
export async function schemaTexts() {
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: ['src/settings/schema.ts'],
    bundle: true,
    format: 'esm',
    platform: 'node',
    write: false,
  })
  const { manifestSchema, settingsSchema } = await import(
    `data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString('base64')}`
  )
  const text = schema => `${JSON.stringify(schema, null, 2)}\n`
  return { 'settings.schema.json': text(settingsSchema()), 'manifest.schema.json': text(manifestSchema()) }
}
