/** A key as text: what each of its places has to give. */

/** A key travels in a header line: visible ASCII only. */
export function isKey(text: string): boolean {
  return /^[\x21-\x7e]+$/.test(text)
}
