/** Compares digits, since a double rounds 9007199254740993. */

export function isNumber(text: string): boolean {
  return /^-?\d+(\.\d+)?([eE][-+]?\d+)?$/.test(text)
}

/** Negative, zero or positive, as for sorting. */
export function compareNumbers(a: string, b: string): number {
  if (isWhole(a) && isWhole(b)) {
    const [one, other] = [BigInt(a), BigInt(b)]
    return one < other ? -1 : one > other ? 1 : 0
  }
  const [one, other] = [Number(a), Number(b)]
  return one < other ? -1 : one > other ? 1 : 0
}

function isWhole(text: string): boolean {
  return /^-?\d{1,1000}$/.test(text)
}
