import type { Values } from '../config/settings.ts'
import type { Host } from '../host.ts'

/** FORCE_COLOR turns colour on in a pipe too. */
export function colored(terminal: boolean, { noColor }: Pick<Values, 'noColor'>, { env }: Pick<Host, 'env'>): boolean {
  if (noColor || env.NO_COLOR) return false
  if (env.FORCE_COLOR) return !/^(0|false|no|off)$/i.test(env.FORCE_COLOR)
  return terminal && env.TERM !== 'dumb'
}
