import { persons } from '../../api/endpoints.ts'
import { defineCommand } from '../../cli/command.ts'
import { option } from '../../cli/options.ts'
import { serverFormat } from '../../cli/server-format.ts'
import { readJson } from '../../cli/value-source.ts'
import { UsageError } from '../../errors.ts'
import { changeTargets } from '../../operations/change-targets.ts'
import { ids, many, ofPersons } from '../../operations/targets.ts'
import { text } from '../../values/kinds.ts'

export default defineCommand({
  summary: 'Delete one property of persons',
  calls: [persons.deleteProperty, persons.get, persons.list],
  args: { ids },
  options: {
    key: option(text, 'KEY', 'name of the property'),
    properties: option(text, 'JSON', 'the properties field of the body, as JSON or @file'),
    ...many,
    ...ofPersons,
    serverFormat: option(serverFormat, 'FORMAT', "print the server's own csv or json; one id only"),
  },
  examples: ['persons delete-property 3 --key plan --yes'],
  async run({ ids }, { key, properties, serverFormat: format, ...options }, context) {
    if (!key) throw new UsageError('No property was given', { hint: 'Give --key KEY' })
    const given = properties === undefined ? undefined : await readJson(context.host, '--properties', properties)
    const values = { keys: [key], properties: given }
    const request = { command: 'persons delete-property', values } as const
    return changeTargets(context, request, { ids, options, given: { key, properties }, format })
  },
})
