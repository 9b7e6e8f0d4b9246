/** What ships with the package: schemas of a settings file and of a manifest. */
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const root = dirname(dirname(fileURLToPath(import.meta.url)))

/** By the name of the file that each goes into. */
export async function schemaTexts() {
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: ['src/settings/schemas.ts'],
    bundle: true,
    format: 'esm',
    platform: 'node',
    write: false,
  })
  const { manifestSchema, settingsSchema } = await import(
    `data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString('base64')}`
  )
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const text = schema => `${JSON.stringify(schema)}\n`
  return {
    'settings.schema.json': text(settingsSchema(version)),
    'manifest.schema.json': text(manifestSchema(version)),
  }
}
