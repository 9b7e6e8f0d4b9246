import { conflicting, defineCommand, option } from '../../cli/command.ts'
import { UsageError } from '../../errors.ts'
import { readJson } from '../../json/read-json.ts'
import { shellWord } from '../../text/shell-words.ts'
import { filled, text } from '../../values/kinds.ts'
import { propertiesField, readPropertiesField, refuseAmbiguous } from '../writing/body.ts'
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
    const { key, value, valueJson } = options
    if (!key) throw new UsageError('No property given', { hint: 'Use --key KEY' })
    if (value === undefined && valueJson === undefined) {
      throw new UsageError('No value given', { hint: 'Use --value or --value-json' })
    }
    if (value !== undefined) refuseAmbiguous(value, json => `--value-json ${shellWord(json)}`)
    const values = {
      key,
      value: valueJson === undefined ? value : await readJson(host, '--value-json', valueJson),
      properties: await readPropertiesField(host, options.properties),
    }
    return startChange(context, { command: 'persons update-property', values }, ids, options)
  },
})
