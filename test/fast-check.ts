/**
 * fast-check with the same values in each run, so that a commit fails only for its own changes.
 * `FUZZ=100 npm run fuzz` tries a hundred times as many other values. `FUZZ_SEED` repeats a failure.
 */
import * as fc from 'fast-check'

export * from 'fast-check'

const { FUZZ: times, FUZZ_SEED: seed = times ? Date.now() % 2 ** 31 : 1 } = process.env

// Without the overloads of `fc.assert`, for a property of either kind.
export const assert: typeof fc.assert = <T>(
  property: fc.IRawProperty<T>,
  { numRuns = 100, ...parameters }: fc.Parameters<T> = {},
) =>
  fc.assert(property as fc.IAsyncProperty<T>, {
    seed: Number(seed),
    ...parameters,
    numRuns: Math.ceil(numRuns * Number(times ?? 1)),
  })

const surrogates = 0xe000 - 0xd800

/** Any character of Unicode. `unit: 'binary'` needs a table: a second and 85 MB in each worker. */
export const character: fc.Arbitrary<string> = fc.nat(0x10ffff - surrogates).map(
  number => String.fromCodePoint(number < 0xd800 ? number : number + surrogates),
  text => numberOf(String(text)),
)

function numberOf(text: string): number {
  const code = text.codePointAt(0) ?? Number.NaN
  if (text !== String.fromCodePoint(code)) throw new Error('More than one character')
  return code < 0xd800 ? code : code - surrogates
}
