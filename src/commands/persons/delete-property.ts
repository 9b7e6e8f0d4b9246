import { persons } from '../../api/endpoints.ts'
import { defineCommand } from '../../cli/command.ts'
import { conflicting, repeated } from '../../cli/options.ts'
import { UsageError } from '../../errors.ts'
import { text } from '../../values/kinds.ts'
import { propertiesField, readPropertiesField } from '../writing/body.ts'
import { bulkOptions, personTargets, targetIds } from '../writing/bulk-options.ts'
import { startChange } from '../writing/start-change.ts'

export default defineCommand({
  summary: 'Delete properties of persons',
  details:
    'A request for each property. With --all-but each person is read, and all other properties are deleted; a name that nobody has, and that is nearly another one, is refused before.',
  calls: [persons.deleteProperty, persons.get, persons.list],
  args: { ids: targetIds },
  options: {
    key: conflicting(repeated(text, 'KEY', 'name of a property'), 'allBut'),
    allBut: repeated(text, 'KEY,…', 'delete all properties but these'),
    properties: propertiesField,
    ...bulkOptions,
    ...personTargets,
  },
  examples: [
    'persons delete-property 3 --key plan --yes # One property',
    'persons delete-property 3 4 --all-but plan,orders --backup before.ndjson --yes # All but some',
  ],
  async run({ ids }, options, context) {
    const { key, allBut } = options
    const kept = keptKeys(key, allBut)
    const properties = await readPropertiesField(context.host, options.properties)
    const values = { keys: [...new Set(key)], allBut: kept, properties }
    return startChange(context, { command: 'persons delete-property', values }, ids, options)
  },
})

/** Undefined if the properties to delete are given. Throws `UsageError` for neither. */
function keptKeys(keys: readonly string[], lists: readonly string[]): string[] | undefined {
  const kept = lists.length > 0 ? lists.flatMap(list => list.split(',')) : undefined
  if (keys.length === 0 && !kept) {
    throw new UsageError('No property given', {
      hint: 'Give --key KEY for each property to delete, or --all-but KEY,… for those that stay',
    })
  }
  if ([...keys, ...(kept ?? []).map(key => key.trim())].includes('')) {
    throw new UsageError('The name of a property is empty', { hint: 'Is a variable of your shell not set?' })
  }
  return kept
}
