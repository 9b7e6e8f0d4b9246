import { defineCommand } from '../../cli/command.ts'
import { repeated } from '../../cli/options.ts'
import { UsageError } from '../../errors.ts'
import { text } from '../../values/kinds.ts'
import { propertiesField, readPropertiesField } from '../writing/body.ts'
import { bulkOptions, personTargets, targetIds } from '../writing/bulk-options.ts'
import { startChange } from '../writing/start-change.ts'

export default defineCommand({
  summary: 'Delete properties of persons',
  details: 'A request for each property.',
  args: { ids: targetIds },
  options: {
    key: repeated(text, 'KEY', 'name of a property'),
    properties: propertiesField,
    ...bulkOptions,
    ...personTargets,
  },
  examples: [
    'persons delete-property 3 --key plan --yes # One property',
    'persons delete-property 3 4 --key plan --key orders --backup before.ndjson --yes # Two, of two persons',
  ],
  async run({ ids }, options, context) {
    const keys = [...new Set(options.key)]
    if (keys.length === 0) throw new UsageError('No property given', { hint: 'Give --key KEY' })
    if (keys.includes('')) {
      throw new UsageError('The name of a property is empty', { hint: 'Is a variable of your shell not set?' })
    }
    const properties = await readPropertiesField(context.host, options.properties)
    const values = { keys, properties }
    return startChange(context, { command: 'persons delete-property', values }, ids, options)
  },
})
