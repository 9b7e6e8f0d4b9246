import { defineCommand, repeated } from '../../cli/command.ts'
import { UsageError } from '../../errors.ts'
import { filled } from '../../values/kinds.ts'
import { propertiesField, readPropertiesField } from '../writing/body.ts'
import { bulkOptions, personTargets, targetIds } from '../writing/bulk-options.ts'
import { startChange } from '../writing/start-change.ts'

export default defineCommand({
  summary: 'Delete properties of persons',
  details: 'Sends one request per property and person.',
  args: { ids: targetIds },
  options: {
    key: repeated(filled, 'KEY', 'delete this property'),
    properties: propertiesField,
    ...bulkOptions,
    ...personTargets,
  },
  examples: [
    'persons delete-property 3 --key plan --yes # Delete one property',
    'persons delete-property 3 4 --key plan --key orders --yes # Delete several properties of several persons',
  ],
  async run({ ids }, options, context) {
    const { key } = options
    if (key.length === 0)
      throw new UsageError('No property given', { hint: 'Use --key KEY for each property to delete' })
    const properties = await readPropertiesField(context.host, options.properties)
    const values = { keys: [...new Set(key)], properties }
    return startChange(context, { command: 'persons delete-property', values }, ids, options)
  },
})
