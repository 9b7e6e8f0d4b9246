type Reason = 'empty' | 'cut short' | 'not JSON' | 'not an object' | 'not UTF-8' | 'nested too deeply'

export class Malformed extends Error {
  override readonly name = 'Malformed'
  readonly reason: Reason

  constructor(reason: Reason, cause?: unknown) {
    super(`Malformed JSON: ${reason}`, { cause })
    this.reason = reason
  }
}
