/** `ANALYTICS_SANDBOX` may be a list of sandbox settings, such as `dialect=observed;faults=429@5%;seed=7`. */
import { UsageError } from '../errors.ts'
import { type Setting, settings, type Values } from './settings.ts'

const names = ['dialect', 'faults', 'seed'] as const

/** Empty if the variable is a yes or no. Throws `UsageError` for an invalid list. */
export function readSandboxVariable(text = ''): Values {
  if (!text.includes('=')) return {}
  const given = text.split(';').map(part => {
    const [, key = '', value = ''] = /^\s*(\w+)=(.*)$/s.exec(part) ?? []
    const name = names.find(one => one === key)
    if (name === undefined) throw unreadable(`${JSON.stringify(part)} is none of ${names.join(', ')}`)
    const parsed = settings[name].kind.parse(value.trim())
    if ('problem' in parsed) throw unreadable(parsed.problem)
    return [name, parsed.value] as const
  })
  return { sandbox: true, ...Object.fromEntries(given) }
}

export function writeSandboxVariable(values: Values): string {
  const changed = names.filter(
    name => values[name] !== undefined && values[name] !== (settings[name] as Setting).default,
  )
  return changed.map(name => `${name}=${values[name]}`).join(';') || '1'
}

function unreadable(problem: string): UsageError {
  return new UsageError(`ANALYTICS_SANDBOX: ${problem}`, {
    hint: 'Write it as in dialect=observed;faults=429@5%;seed=7',
  })
}
