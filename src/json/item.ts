import type { Json, JsonObject } from './exact.ts'

/** One JSON value of an answer: the text as it came, and what it means. */
export interface Item<Value = Json> {
  readonly text: string
  readonly value: Value
}

export type ObjectItem = Item<JsonObject<Json>>
