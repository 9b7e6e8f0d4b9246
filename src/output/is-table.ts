import type { Values } from '../config/settings.ts'

/** True if the command shows its own table, without a choice of fields or rows. */
export function isTable({ output = 'table', fields }: Values): boolean {
  return output === 'table' && fields === undefined
}
