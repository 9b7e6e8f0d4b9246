/** JSON that this tool wrote is taken only as the bytes that it would write. */
import { decode, isObject } from './exact.ts'
import { Malformed } from './malformed.ts'

interface OwnForm<T> {
  /** The member with the version of the form, and the version that is written now. */
  readonly version?: readonly [member: string, now: number]
  /** Undefined unless the value has the right type. */
  readonly typed: (value: unknown) => T | undefined
  readonly print: (value: T) => string
}

/** Another layout, a member twice and an unknown one are `altered`. */
export function readOwn<T extends object>(
  bytes: Buffer,
  { version, typed, print }: OwnForm<T>,
): T | 'altered' | 'other version' {
  const found = decoded(bytes)
  if (version && isObject(found)) {
    const own = found[version[0]]
    if (Number.isInteger(own) && own !== version[1]) return 'other version'
  }
  const value = typed(found)
  return value !== undefined && bytes.equals(Buffer.from(print(value))) ? value : 'altered'
}

function decoded(bytes: Buffer): unknown {
  try {
    return decode(bytes)
  } catch (error) {
    if (error instanceof Malformed) return undefined
    throw error
  }
}
