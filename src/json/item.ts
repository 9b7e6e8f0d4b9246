/** Bytes of one JSON value as they arrived, without outer white space. */
export type Item = Buffer

/** Levels of nesting; deeper recursion could overflow the stack. */
export const deepest = 1000

type Reason =
  | 'empty'
  | 'cut short'
  | 'not JSON'
  | 'not an object'
  | 'not UTF-8'
  | 'brackets that do not match'
  | 'text after its end'
  | 'two lists'
  | 'a member that is too large'
  | 'an item that is too large'
  | 'too much around its items'
  | 'nested too deeply'

export class Malformed extends Error {
  override readonly name = 'Malformed'
  readonly reason: Reason

  constructor(reason: Reason, cause?: unknown) {
    super(`Malformed JSON: ${reason}`, { cause })
    this.reason = reason
  }
}
