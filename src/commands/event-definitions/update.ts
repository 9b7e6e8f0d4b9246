import { eventDefinitions } from '../../api/endpoints.ts'
import { conflicting, defineCommand, refuseBeside, repeated } from '../../cli/command.ts'
import { UsageError } from '../../errors.ts'
import type { Kind } from '../../values/kinds.ts'
import { listItem } from '../../values/lists.ts'
import { storedTag } from '../../values/same.ts'
import { bodyOf, bodyOptions, requireValues, withAssignments } from '../writing/body.ts'
import { bulkOptions, nameTargets, rowTargets, targetIdsAndFields } from '../writing/bulk-options.ts'
import { startChange } from '../writing/start-change.ts'

const tag: Kind<string> = {
  ...listItem,
  parse(value) {
    if (!value.includes(',')) return listItem.parse(value)
    return { problem: `${JSON.stringify(value)} would be stored as one tag`, hint: 'Repeat the option for each tag' }
  },
}

export default defineCommand({
  summary: 'Rename or tag event definitions',
  details: '--tags replaces the list of tags; --add-tag and --remove-tag change it.',
  args: { ids: targetIdsAndFields },
  options: {
    ...bodyOptions(eventDefinitions.update.body),
    addTag: conflicting(repeated(tag, 'TAG', 'add a tag'), 'body'),
    removeTag: conflicting(repeated(listItem, 'TAG', 'remove a tag'), 'body'),
    ...nameTargets,
    ...rowTargets,
    ...bulkOptions,
  },
  examples: [
    "event-definitions update --by-name 'order placed' --add-tag revenue # Add a tag",
    'event-definitions update --rows names.csv --yes # Set values from a spreadsheet',
  ],
  async run(args, typed, context) {
    const { ids, options } = withAssignments(args.ids, typed)
    const { addTag, removeTag } = options
    const inBoth = addTag.find(tag => removeTag.some(one => storedTag(one) === storedTag(tag)))
    if (inBoth !== undefined) {
      throw new UsageError(`${JSON.stringify(inBoth)} cannot be both added and removed`, { hint: 'Remove one of them' })
    }
    const hasTags = addTag.length + removeTag.length > 0
    const fields = await bodyOf(context.host, eventDefinitions.update.body, options)
    if (fields && 'tags' in fields) {
      const hint = 'Use either --tags or --add-tag and --remove-tag'
      refuseBeside('--tags replaces the list of tags', { addTag, removeTag }, hint)
    }
    const body = requireValues(hasTags ? (fields ?? {}) : fields, options.rows)
    const values = { body, addTags: addTag, removeTags: removeTag }
    return startChange(context, { command: 'event-definitions update', values }, ids, options)
  },
})
