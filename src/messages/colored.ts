import type { Values } from '../config/settings.ts'
import type { Host } from '../host.ts'

/** The first variable that is set decides. FORCE_COLOR and CLICOLOR_FORCE turn colour on in a pipe too. */
export function colored(terminal: boolean, values: Values, { env }: Pick<Host, 'env'>): boolean {
  if (values.noColor) return false
  if (env.FORCE_COLOR) return !isOff(env.FORCE_COLOR)
  if (env.CLICOLOR_FORCE && !isOff(env.CLICOLOR_FORCE)) return true
  return terminal && env.TERM !== 'dumb' && !isOff(env.CLICOLOR)
}

function isOff(value = ''): boolean {
  return /^(0|false|no|off)$/i.test(value)
}
