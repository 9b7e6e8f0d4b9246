import { type Context, defineCommand } from '../cli/command.ts'
import { exitsOfCalls, Failure } from '../errors.ts'
import { listDocument } from '../output/own-document.ts'
import { rowView } from '../output/views.ts'
import { type Settings, settingsOf } from '../profiles/current.ts'
import type { Secrets } from '../secrets/secrets.ts'
import { countOf } from '../text/grouped.ts'
import { text } from '../values/kinds.ts'
import { draw } from './doctor/draw.ts'
import { type Finding, fail } from './doctor/finding.ts'
import { configuration, program, state } from './doctor/machine.ts'
import { checkServer } from './doctor/service.ts'

const fields = { check: text, status: text, what: text, hint: text }

export default defineCommand({
  summary: 'Check this machine, the service, the key and the project',
  details:
    'Nothing is changed: at most one request is sent, and it reads. Ends with the exit code of the first check that fails: 2 for files and settings, 3 for the project, 4 for the key, and 5, 6 or 7 for what the service answers, or that it does not.',
  calls: [],
  exits: exitsOfCalls,
  args: {},
  fields,
  options: {},
  examples: [
    '--sandbox doctor # Check this machine alone',
    'doctor -o json # As JSON',
    'doctor --profile prod # Check another profile',
  ],
  async run(_, __, context) {
    const findings = await examine(context)
    const rows = findings.map(({ failure, ...row }) => hidden(row, context.secrets))
    return {
      document: listDocument(rows, rowView(Object.keys(fields), 'check')),
      textForm: { format: 'table', draw: look => draw(rows, look) },
      afterwards() {
        const failed = findings.find(({ failure }) => failure)?.failure
        if (failed) throw failed
        const warnings = rows.filter(({ status }) => status === 'warn').length
        context.messages.notice(warnings === 0 ? 'OK' : `OK, ${countOf(warnings, 'warning', 'warnings')}`)
      },
    }
  },
})

/** A variable of another setting may hold the key by mistake. */
function hidden({ what, hint, ...row }: Finding, secrets: Secrets): Finding {
  return { ...row, what: secrets.hide(what), hint: hint && secrets.hide(hint) }
}

async function examine(context: Context): Promise<readonly Finding[]> {
  const { host, settings } = context
  const folder = state(host)
  const file = settings.values.sandbox ? [] : [configuration(host)]
  const machine = [program(host), folder, ...file]
  // The sandbox is kept in the state folder.
  if ((file.length === 0 ? [folder] : file).some(({ status }) => status === 'fail')) return machine
  let used: Settings
  try {
    used = settings.values.sandbox ? settings : settingsOf(settings.typed, host, true)
  } catch (error) {
    if (error instanceof Failure) return [...machine, fail('settings', error)]
    throw error
  }
  context.secrets.add(used.values.apiKey)
  return [...machine, ...(await checkServer(context, used))]
}
