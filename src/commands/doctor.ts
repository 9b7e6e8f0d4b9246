import { defineCommand } from '../cli/command.ts'
import { configOf } from '../config/current.ts'
import type { Context } from '../context.ts'
import { Failure } from '../errors.ts'
import { listDocument, type RenderOptions } from '../output/document.ts'
import { rowView } from '../output/views.ts'
import { read } from '../result.ts'
import { fillLines } from '../text/cells.ts'
import { escapeControls } from '../text/escape-controls.ts'
import { countOf } from '../text/grouped.ts'
import { text } from '../values/kinds.ts'
import { healthChecks, type OpenService } from './doctor/health-checks.ts'

const fields = { check: text, status: text, what: text, hint: text }

interface Row {
  readonly check: string
  readonly status: keyof typeof colors
  readonly what: string
  readonly hint: string | null
}

const colors = { ok: 32, warn: 33, fail: 31 }

export default defineCommand({
  summary: 'Check this machine, the service, the key and the project',
  details:
    'Nothing is changed: at most one request is sent, and it reads. The first check that fails is the last one, and gives the exit code: 2 for files and settings, 3 for the project, 4 for the key, and 5, 6 or 7 for what the service answers, or that it does not.',
  args: {},
  options: {},
  examples: [
    '--sandbox doctor # Check this machine alone',
    'doctor -o json # As JSON',
    'doctor --profile prod # Check another profile',
  ],
  async run(_, __, context) {
    const { rows, failure } = await examine(context)
    const document = listDocument(rows, rowView(Object.keys(fields), 'check'))
    const draw = (look: RenderOptions) => rows.map(row => drawn(row, look)).join('')
    return read({ document, drawing: { format: 'table', draw } }, () => {
      if (failure) throw failure
      const warnings = rows.filter(({ status }) => status === 'warn').length
      context.messages.notice(warnings === 0 ? 'OK' : `OK, ${countOf(warnings, 'warning', 'warnings')}`)
    })
  },
})

async function examine(context: Context): Promise<{ readonly rows: readonly Row[]; readonly failure?: Failure }> {
  const { host, secrets } = context
  const rows: Row[] = []
  const add = (check: string, status: Row['status'], what: string, hint: string | null = null) => {
    // A variable of another setting may hold the key by mistake.
    rows.push({ check, status, what: secrets.hide(what), hint: hint && secrets.hide(hint) })
  }
  let service: Promise<OpenService> | undefined
  const open = () => (service ??= connected(context))
  for (const [check, look] of Object.entries(healthChecks)) {
    try {
      const { what, advice } = await look(host, open)
      add(check, advice ? 'warn' : 'ok', what, advice)
    } catch (failure) {
      if (!(failure instanceof Failure) || host.interrupted.aborted) throw failure
      add(check, 'fail', failure.message, failure.facts.hint)
      return { rows, failure }
    }
  }
  return { rows }
}

async function connected(context: Context): Promise<OpenService> {
  const { typed, values } = context.config
  const config = values.sandbox ? context.config : configOf(typed, context.host, true)
  context.secrets.add(config.values.apiKey)
  // Somebody waits to hear what is wrong now.
  return { config, connection: await context.connectAs({ ...config, values: { ...config.values, retries: 0 } }) }
}

/** The hint of a failure stands in the error below. */
function drawn({ check, status, what, hint }: Row, { width = Number.POSITIVE_INFINITY, color }: RenderOptions): string {
  const mark = status.padEnd(4)
  const head = `${color ? `\u001b[${colors[status]}m${mark}\u001b[39m` : mark}  ${check.padEnd(13)}  `
  const words = escapeControls(status === 'warn' ? `${what}. ${hint}` : what).split(' ')
  return `${head}${fillLines(words, width - 21).join(`\n${' '.repeat(21)}`)}\n`
}
