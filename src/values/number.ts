/** Compares numbers by their digits, since a double rounds 9007199254740993. The exponent must fit into a double. */

const form = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([-+]?\d{1,15}))?$/

export function isNumberText(text: string): boolean {
  return form.test(text)
}

/** A text with leading zeros, such as the post code 07, does not equal 7. */
export function isSameNumber(a: string, b: string): boolean {
  return [a, b].every(text => isNumberText(text) && !/^-?0\d/.test(text)) && compareNumbers(a, b) === 0
}

export function compareNumbers(a: string, b: string): number {
  const [one, other] = [read(a), read(b)]
  if (one.sign !== other.sign) return one.sign - other.sign
  return one.sign * (one.point - other.point || compareDigits(one.digits, other.digits))
}

/** The number is `0.digits` times ten to the power of `point`. */
function read(text: string): { readonly sign: number; readonly digits: string; readonly point: number } {
  const [, minus, whole = '', fraction = '', power = '0'] = form.exec(text) ?? []
  const digits = `${whole}${fraction}`.replace(/^0+/, '')
  if (digits === '') return { sign: 0, digits, point: 0 }
  return { sign: minus ? -1 : 1, digits, point: digits.length - fraction.length + Number(power) }
}

/** Compares digits after a decimal point, where zeros at the end do not matter. */
export function compareDigits(a: string, b: string): number {
  const length = Math.max(a.length, b.length)
  const [one, other] = [a.padEnd(length, '0'), b.padEnd(length, '0')]
  return one < other ? -1 : one > other ? 1 : 0
}
