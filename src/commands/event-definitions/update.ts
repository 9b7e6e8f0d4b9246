import { eventDefinitions } from '../../api/endpoints.ts'
import { bodyOf, fieldOptions, freeOptions } from '../../cli/body.ts'
import { defineCommand } from '../../cli/command.ts'
import { UsageError } from '../../errors.ts'
import { changeTargets } from '../../operations/change-targets.ts'
import { ids, many } from '../../operations/targets.ts'

export default defineCommand({
  summary: 'Rename or tag event definitions',
  details:
    '--tags replaces the whole list. The answer is compared with what was asked: a field that the service accepted and did not apply is named, and the exit code is 5.',
  calls: [eventDefinitions.update, eventDefinitions.get],
  args: { ids },
  options: { ...fieldOptions(eventDefinitions.update.body), ...freeOptions, ...many },
  examples: ['event-definitions update 534f1026-b04c-4d79-8bd3-3544c4652cec --tags checkout --tags revenue'],
  async run({ ids }, options, context) {
    const body = await bodyOf(context.host, eventDefinitions.update.body, options)
    if (body === undefined) {
      throw new UsageError('No fields given', { hint: 'See analytics event-definitions update --help' })
    }
    return changeTargets(
      context,
      { command: 'event-definitions update', values: { body } },
      { ids, options, given: options },
    )
  },
})
