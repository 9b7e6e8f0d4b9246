import { argument, conflicting, defineCommand, flag, idArgument, option } from '../../cli/command.ts'
import { UsageError } from '../../errors.ts'
import { filled } from '../../values/kinds.ts'
import { propertiesField, readPropertiesField } from '../writing/body.ts'
import { startChange } from '../writing/start-change.ts'

export default defineCommand({
  summary: 'Split a person into one person per distinct id',
  details:
    'The main distinct id keeps the properties. It must be one of the distinct ids of the person. Without it, servers before June 2026 delete the properties permanently, and --wipe-properties confirms that. Newer servers keep the properties, and the exit code is 5.',
  args: { id: idArgument(argument('ID', 'id of the person'), 'persons') },
  options: {
    mainDistinctId: conflicting(option(filled, 'ID', 'let this distinct id keep the properties'), 'wipeProperties'),
    wipeProperties: flag('delete the properties permanently'),
    properties: propertiesField,
  },
  examples: [
    'persons split 55 --main-distinct-id ada --yes # Keep the properties with one distinct id',
    'persons split 55 --wipe-properties --dry-run # Delete the properties: show what would be sent',
  ],
  async run({ id }, { mainDistinctId, wipeProperties, properties: given }, context) {
    if (mainDistinctId === undefined && !wipeProperties) {
      throw new UsageError('A split needs --main-distinct-id or --wipe-properties', {
        hint: 'Use --main-distinct-id ID to keep the properties, or --wipe-properties to delete them',
      })
    }
    const properties = await readPropertiesField(context.host, given)
    return startChange(context, { command: 'persons split', values: { mainDistinctId, properties } }, [id], {})
  },
})
