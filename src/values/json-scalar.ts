/** `007` and `+1` are none. */
export function isJsonNumber(text: string): boolean {
  return /^-?(0|[1-9]\d*)(\.\d+)?(e[-+]?\d+)?$/i.test(text)
}

/** A text that may be meant as something else. */
export function isJsonScalar(text: string): boolean {
  return isJsonNumber(text) || /^(true|false|null)$/.test(text)
}
