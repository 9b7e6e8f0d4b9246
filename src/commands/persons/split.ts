import { argument, idArgument } from '../../cli/arguments.ts'
import { defineCommand } from '../../cli/command.ts'
import { conflicting, flag, option } from '../../cli/options.ts'
import { UsageError } from '../../errors.ts'
import { filled } from '../../values/kinds.ts'
import { propertiesField, readPropertiesField } from '../writing/body.ts'
import { startChange } from '../writing/start-change.ts'
import { personFinders } from './find-person.ts'

export default defineCommand({
  summary: 'Split a person into one for each distinct id',
  details:
    'The person is read first: the main distinct id must be one of theirs, and keeps the properties. Without one, servers before June 2026 delete the properties for good, so that needs --wipe-properties. Newer servers keep them: the person is read once afterwards, and if they are still there the exit code is 5.',
  args: { id: idArgument(argument('ID', 'id of the person'), 'persons', personFinders) },
  options: {
    mainDistinctId: conflicting(option(filled, 'ID', 'the distinct id that keeps the properties'), 'wipeProperties'),
    wipeProperties: flag('delete the properties for good'),
    properties: propertiesField,
  },
  examples: [
    'persons split 55 --main-distinct-id ada --yes # Let one distinct id keep the properties',
    'persons split 55 --wipe-properties --dry-run # Let nobody keep them: see what would be sent',
  ],
  async run({ id }, { mainDistinctId, wipeProperties, properties: given }, context) {
    if (mainDistinctId === undefined && !wipeProperties) {
      throw new UsageError('Splitting needs to know what happens to the properties', {
        hint: 'Give --main-distinct-id to keep them there, or --wipe-properties to delete them',
      })
    }
    const properties = await readPropertiesField(context.host, given)
    return startChange(context, { command: 'persons split', values: { mainDistinctId, properties } }, [id], {})
  },
})
