import { defineCommand } from '../../cli/command.ts'
import { conflicting, option } from '../../cli/options.ts'
import { UsageError } from '../../errors.ts'
import type { Host } from '../../host.ts'
import { readJson } from '../../json/read-given.ts'
import { shellWord } from '../../text/shell-words.ts'
import { filled, text } from '../../values/kinds.ts'
import { propertiesField, readPropertiesField, refuseGuess } from '../writing/body.ts'
import { bulkOptions, personTargets, targetIds } from '../writing/bulk-options.ts'
import { startChange } from '../writing/start-change.ts'

export default defineCommand({
  summary: 'Set one property of persons',
  args: { ids: targetIds },
  options: {
    key: option(filled, 'KEY', 'set this property'),
    value: conflicting(option(text, 'TEXT', 'set it to this text'), 'valueJson'),
    valueJson: option(text, 'JSON', 'set it to JSON or @file'),
    properties: propertiesField,
    ...bulkOptions,
    ...personTargets,
  },
  examples: [
    'persons update-property 3 --key plan --value pro # Set a text',
    'persons update-property 3 --key seats --value-json 12 # Set a number',
  ],
  async run({ ids }, options, context) {
    const { host } = context
    const values = {
      key: named(options.key),
      value: await givenValue(host, options),
      properties: await readPropertiesField(host, options.properties),
    }
    return startChange(context, { command: 'persons update-property', values }, ids, options)
  },
})

function named(key: string | undefined): string {
  if (key) return key
  throw new UsageError('No property given', { hint: 'Use --key KEY' })
}

async function givenValue(
  host: Host,
  options: { readonly value: string | undefined; readonly valueJson: string | undefined },
) {
  if (options.valueJson !== undefined) return readJson(host, '--value-json', options.valueJson)
  if (options.value !== undefined) refuseGuess(options.value, json => `--value-json ${shellWord(json)}`)
  if (options.value !== undefined) return options.value
  throw new UsageError('No value given', { hint: 'Use --value or --value-json' })
}
