import { defineCommand, type OptionsOf, option, refuseBeside, repeated } from '../../cli/command.ts'
import { UsageError } from '../../errors.ts'
import type { Host } from '../../host.ts'
import type { JsonObject } from '../../json/exact.ts'
import { isPropertyPath, nameOfField } from '../../json/property-path.ts'
import { assignment, text } from '../../values/kinds.ts'
import { bodyOf, freeOptions, readPropertiesField, requireValues, withAssignments } from '../writing/body.ts'
import { bulkOptions, personTargets, rowTargets, targetIdsAndFields } from '../writing/bulk-options.ts'
import { startChange } from '../writing/start-change.ts'

const values = {
  ...freeOptions,
  set: repeated(assignment, 'KEY=TEXT', 'set a property to a text'),
  setJson: repeated(assignment, 'KEY=JSON', 'set a property to JSON, @file or null'),
  properties: option(text, 'JSON', 'set these properties: a JSON object or @file'),
}

export default defineCommand({
  summary: 'Set properties of persons',
  details: 'Other properties keep their values.',
  args: { ids: targetIdsAndFields },
  options: {
    ...values,
    ...rowTargets,
    ...bulkOptions,
    ...personTargets,
  },
  examples: [
    'persons update 3 plan=pro --set-json seats=12 # Set a text and a number',
    'persons update --rows corrections.csv --types orders=number --yes # Set values from a spreadsheet',
    'persons update --property plan=trial plan=free --yes # Change all that match a filter',
  ],
  async run(args, typed, context) {
    const { ids, options } = withAssignments(args.ids, typed)
    const body = requireValues(await propertiesBody(context.host, options), options.rows)
    return startChange(context, { command: 'persons update', values: { body } }, ids, options)
  },
})

/** `--set plan=pro` sends `{"properties":{"plan":"pro"}}`. */
async function propertiesBody(
  host: Host,
  { set, setJson, body, properties }: OptionsOf<typeof values>,
): Promise<JsonObject | undefined> {
  const [path] = [...set, ...setJson].map(([key]) => key).filter(isPropertyPath)
  if (path !== undefined) {
    throw new UsageError(`${path} would become the name of a property`, {
      hint: `Use ${nameOfField(path)}=… instead. If the name is right, use --properties`,
    })
  }
  if (properties !== undefined) {
    refuseBeside('--properties has the values', { set, setJson, body }, 'Remove one of them')
    return { properties: await readPropertiesField(host, properties) }
  }
  const fields = await bodyOf(host, {}, { set, setJson, body })
  return fields === undefined || body !== undefined ? fields : { properties: fields }
}
