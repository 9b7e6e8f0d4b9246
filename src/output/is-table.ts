import type { Values } from '../profiles/settings.ts'

/** Whether a table of the command's own is shown, and not rows of which something is chosen. */
export function isTable({ output = 'table', fields, query }: Values): boolean {
  return output === 'table' && fields === undefined && query === undefined
}
