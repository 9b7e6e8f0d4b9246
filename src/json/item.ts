import type { Json, JsonObject } from './exact.ts'

/** One JSON value of an answer: the text as it came, and what it means. */
export interface Item<Value = Json> {
  readonly text: string
  readonly value: Value
}

export type ObjectItem = Item<JsonObject<Json>>

type Reason = 'empty' | 'cut short' | 'not JSON' | 'not an object' | 'not UTF-8' | 'nested too deeply'

export class Malformed extends Error {
  override readonly name = 'Malformed'
  readonly reason: Reason

  constructor(reason: Reason, cause?: unknown) {
    super(`Malformed JSON: ${reason}`, { cause })
    this.reason = reason
  }
}
