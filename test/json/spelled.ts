/** Arbitrary JSON as text, in every spelling that the grammar allows. */
import * as fc from '../fast-check.ts'

const white = fc.constantFrom('', '', '', ' ', '\n', '\r\n', '\t', '  \n ')

const number = fc.oneof(
  fc.integer().map(String),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map(one => JSON.stringify(one)),
  fc.constantFrom('0', '-0', '1.0', '0.10', '1e400', '-1E+2', '1e-7', '9007199254740993', '-18446744073709551615'),
)

const literal = fc.constantFrom('true', 'false', 'null')

const character = fc.oneof(
  fc.character.map(one => JSON.stringify(one).slice(1, -1)),
  fc.constantFrom('\\"', '\\\\', '\\/', '\\n', '\\u0000', '\\u0022', '\\uD83D\\uDE00', '{', '}', '[', ']', ',', ':'),
)

const string = fc.array(character, { maxLength: 8 }).map(all => `"${all.join('')}"`)

/** Keys that are often equal to each other or to a part of a path, or special in JavaScript. */
const keys = [
  '"a"',
  '"\\u0061"',
  '"b"',
  '"a.b"',
  '"b.a"',
  '""',
  '"0"',
  '"1"',
  '"10"',
  '"__proto__"',
  '"é"',
  '"results"',
  '"a\\tb"',
  '"a\\\\tb"',
  '"a\\"b"',
  '"a\\\\\\"b"',
]

export const { value } = fc.letrec<{ value: string; list: string; object: string }>(tie => ({
  value: fc.oneof(
    { maxDepth: 4, depthSize: 'small', withCrossShrink: true },
    fc.oneof(number, literal, string),
    tie('list'),
    tie('object'),
  ),
  list: fc
    .array(fc.tuple(white, tie('value'), white), { maxLength: 4 })
    .chain(all => white.map(inside => (all.length > 0 ? `[${all.map(part => part.join('')).join()}]` : `[${inside}]`))),
  object: fc
    .array(fc.tuple(white, fc.oneof(fc.constantFrom(...keys), string), white, white, tie('value'), white), {
      maxLength: 5,
    })
    .map(all => `{${all.map(([a, key, b, c, member, d]) => `${a}${key}${b}:${c}${member}${d}`).join()}}`),
}))

/** JSON as `JSON.stringify` writes it, except for exact numbers and the order of keys. */
export const { canonical } = fc.letrec<{ canonical: string; list: string; object: string }>(tie => ({
  canonical: fc.oneof(
    { maxDepth: 4, depthSize: 'small', withCrossShrink: true },
    fc.oneof(
      number,
      literal,
      fc.string({ unit: fc.character }).map(one => JSON.stringify(one)),
    ),
    tie('list'),
    tie('object'),
  ),
  list: fc.array(tie('canonical'), { maxLength: 4 }).map(all => `[${all.join()}]`),
  object: fc
    .uniqueArray(fc.tuple(fc.constantFrom('a', 'b', '-1', '__proto__', 'é', '"'), tie('canonical')), {
      selector: ([key]) => key,
      maxLength: 5,
    })
    .map(all => `{${all.map(([key, member]) => `${JSON.stringify(key)}:${member}`).join()}}`),
}))

/** False if `JSON.parse` may misread the text: V8 of Node 24 and 26 misreads names that end in an escape. */
export function isReadRight(text: string): boolean {
  return !/\\(?:u[\da-f]{4}|[^u])"\s*:/i.test(text)
}

export function tokens(text: string): string[] {
  return text.match(/"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/gs) ?? []
}
