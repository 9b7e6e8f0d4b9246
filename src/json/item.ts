/** The bytes of one JSON value without surrounding white space: rows travel as the bytes they came in. */
export type Item = Buffer

/** Objects and arrays inside each other: what works on values by recursion refuses more cleanly, as `Malformed`. */
export const deepest = 1000

export type Reason =
  | 'empty'
  | 'cut short'
  | 'not JSON'
  | 'not UTF-8'
  | 'brackets that do not match'
  | 'text after its end'
  | 'two lists'
  | 'a member that is too large'
  | 'an item that is too large'
  | 'too much around its items'
  | 'nested too deeply'

/** Text that should be JSON and is not, or is JSON that we cannot hold. */
export class Malformed extends Error {
  override readonly name = 'Malformed'
  readonly reason: Reason

  constructor(reason: Reason, cause?: unknown) {
    super(`Malformed JSON: ${reason}`, { cause })
    this.reason = reason
  }
}
