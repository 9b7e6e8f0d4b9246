import { defineCommand } from '../../cli/command.ts'
import { DriftError } from '../../errors.ts'
import { suggestCommand } from '../../runs/wording.ts'
import {
  changesData,
  compareProjects,
  describeChanges,
  describeProjects,
  fileOption,
  projectArgument,
  settingsFor,
} from './settings.ts'

export default defineCommand({
  summary: 'Show what settings files would change',
  details:
    'Exits with 0 if nothing would change, and with 9 if something would. Compares only the fields in the files. A file with project: 42 needs no ID.',
  args: { id: projectArgument },
  options: { file: fileOption },
  examples: [
    'projects diff 1 -f settings.yaml # Compare with a file',
    'projects diff -f base.yaml -f projects # Compare with a folder that has a file per project',
    'projects diff 1 -f settings.yaml -o json # Print as JSON',
  ],
  async run({ id }, { file }, context) {
    const files = await settingsFor(context, id, file)
    const compared = await compareProjects(context, await context.connect(), files)
    const differing = compared.filter(({ changes }) => changes.length > 0)
    const end = () => {
      if (differing.length === 0) return context.messages.notice(`No changes in ${describeProjects(compared)}`)
      const words = ['projects', 'apply', ...(id === undefined ? [] : [id]), ...file.flatMap(path => ['-f', path])]
      throw new DriftError(`Found differences: ${describeChanges(differing)}`, {
        hint: `To apply the changes: ${suggestCommand(context, words)}`,
      })
    }
    return { ...changesData(differing, context), end }
  },
})
