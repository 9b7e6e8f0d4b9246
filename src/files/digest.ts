import { createHash } from 'node:crypto'

export function digestOfBytes(bytes: string | Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}
