import { parseBaseUrl } from '../api/base-url.ts'
import { type Context, defineCommand } from '../cli/command.ts'
import { openOwnSandbox } from '../connection/open-sandbox.ts'
import { openTransport, timeoutOf, traced } from '../connection/open-transport.ts'
import { exitsOfCalls, Failure } from '../errors.ts'
import { authorize } from '../http/authorize.ts'
import { listDocument } from '../output/own-document.ts'
import { rowView } from '../output/views.ts'
import { type Settings, settingsOf } from '../profiles/current.ts'
import { serverAndKey } from '../profiles/key.ts'
import type { Secrets } from '../secrets/secrets.ts'
import { countOf } from '../text/grouped.ts'
import { text } from '../values/kinds.ts'
import { draw } from './doctor/draw.ts'
import { type Finding, fail, ok, skip } from './doctor/finding.ts'
import { configuration, keySource, nodeVersion, otherSettings, sourceOf, state } from './doctor/machine.ts'
import { checkNetwork } from './doctor/network.ts'
import { service } from './doctor/service.ts'

const fields = { check: text, status: text, what: text, hint: text }

export default defineCommand({
  summary: 'Check files, settings, network, key and project',
  details:
    'Nothing is changed: at most two requests are sent, both reads. Ends with the exit code of the first check that fails: 2 for files and settings, 3 for the project, 4 for the key, 7 for the network, and 5, 6 or 7 for what the service answers.',
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

/** Another setting's variable may hold the key by mistake. */
function hidden({ what, hint, ...row }: Finding, secrets: Secrets): Finding {
  return { ...row, what: secrets.hide(what), hint: hint && secrets.hide(hint) }
}

async function examine(context: Context): Promise<readonly Finding[]> {
  const { host, values, settings } = context
  const folder = state(host)
  const machine = [nodeVersion(host), folder]
  if (values.sandbox) {
    const known = [...machine, skip('configuration', 'Not read in the sandbox'), otherSettings(settings)]
    return folder.status === 'fail' ? known : [...known, ...(await inSandbox(context))]
  }
  const file = configuration(host)
  if (file.status === 'fail') return [...machine, file]
  try {
    const found = settingsOf(settings.typed, host, true)
    context.secrets.add(found.values.apiKey)
    return [...machine, file, otherSettings(found), ...(await toServer(context, found))]
  } catch (error) {
    if (error instanceof Failure) return [...machine, file, fail('settings', error)]
    throw error
  }
}

/** Skips checks that an earlier failure makes useless. */
async function toServer(context: Context, settings: Settings): Promise<readonly Finding[]> {
  const { host, messages, secrets } = context
  const { values } = settings
  const findings: Finding[] = []
  try {
    if (values.baseUrl !== undefined) {
      const base = parseBaseUrl(values.baseUrl, values.allowHttp ?? false)
      findings.push(ok('service', `${base.href} (${sourceOf('baseUrl', settings)})`))
    }
    const { base, key } = serverAndKey(settings, host, messages.warn)
    // Read first, so that an invalid key is not reported as a fault of the service.
    const own = await key()
    secrets.add(own)
    findings.push(ok('key', keySource(settings)), ...(await checkNetwork(base, host, timeoutOf(values), values.caFile)))
    if (findings.some(({ status }) => status === 'fail')) return findings
    const transport = openTransport(host, values)
    try {
      const send = authorize(traced(transport.send, context), { origin: base.origin, key: () => own, secrets })
      const named = { project: values.project, projectSource: sourceOf('project', settings) }
      return [...findings, ...(await service({ base, send, secrets, ...named, clock: host.clock }))]
    } finally {
      await transport.close()
    }
  } catch (error) {
    if (!(error instanceof Failure) || host.interrupted.aborted) throw error
    return [...findings, fail(values.baseUrl === undefined || findings.length === 0 ? 'service' : 'key', error)]
  }
}

async function inSandbox(context: Context): Promise<readonly Finding[]> {
  const { host, settings, values, secrets } = context
  const sandbox = await openOwnSandbox(host, values)
  try {
    const base = new URL(sandbox.baseUrl)
    const send = authorize(traced(sandbox.send, context), { origin: base.origin, key: () => sandbox.key, secrets })
    const projectSource = values.project === undefined ? 'the first of the sandbox' : sourceOf('project', settings)
    const project = values.project ?? sandbox.project
    return [
      ok('service', 'The sandbox on this machine'),
      skip('network', 'The sandbox needs none'),
      ...(await service({ base, send, secrets, project, projectSource, clock: host.clock })),
    ]
  } finally {
    sandbox.close()
  }
}
