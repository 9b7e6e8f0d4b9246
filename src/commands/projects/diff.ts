import { projects } from '../../api/endpoints.ts'
import { defineCommand } from '../../cli/command.ts'
import { option, optionalArgument } from '../../cli/options.ts'
import { UsageError } from '../../errors.ts'
import { diff, wantedOf } from '../../settings/diff.ts'
import { namesOf } from '../../settings/file.ts'
import { readWanted } from '../../settings/read.ts'
import { text } from '../../values/kinds.ts'
import { compared, markdownOption, readRecord, summarized, targetOf } from './changes.ts'
import { fileOption } from './file-option.ts'

export default defineCommand({
  summary: 'Show what a settings file would change in a project',
  details:
    'Exit code 0: nothing; 9: something. Only the fields in the file are compared. With --against it compares two projects, and shows what would make the first like the second.',
  calls: [projects.get],
  args: { id: optionalArgument('ID', 'id of the project; left out: the project in use') },
  options: {
    ...fileOption,
    against: option(text, 'ID', 'compare with this project instead of a file'),
    ...markdownOption,
  },
  examples: ['projects diff 1 -f settings.yaml', 'projects diff 1 --against 2', 'projects diff 1 -f - -o json'],
  async run({ id: named }, { file, against, markdown }, context) {
    if ((file.length === 0) === (against === undefined)) {
      throw new UsageError(
        against === undefined ? 'Nothing to compare with was given' : '-f and --against cannot be combined',
        { hint: 'Give -f FILE, or --against ID' },
      )
    }
    const inFiles = against === undefined ? await readWanted(context.host, file) : undefined
    return summarized(context, markdown, async summary => {
      const { client, id, where } = await targetOf(context, named)
      const record = await readRecord(client, id)
      const wanted = inFiles ?? wantedOf(await readRecord(client, against ?? id))
      const other =
        against === undefined
          ? { other: namesOf(file), hint: 'analytics projects apply makes the changes' }
          : { other: `project ${against}` }
      return compared({ where, ...other }, diff(wanted, record), summary, context)
    })
  },
})
