import type { Kind } from './kinds.ts'

export const assignment: Kind<readonly [string, string]> = {
  name: 'assignment',
  parse(typed) {
    const at = typed.indexOf('=')
    if (at < 1) return { problem: `${JSON.stringify(typed)} is not of the form key=value` }
    return { value: [typed.slice(0, at), typed.slice(at + 1)] }
  },
  check: () => undefined,
}
