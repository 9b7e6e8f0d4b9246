import fc from 'fast-check'
import { expect, test } from 'vitest'
import { NeedleIndex } from '../../src/secrets/needle-index.ts'

const bytes = (least: number, most: number) =>
  fc.array(fc.constantFrom('a', 'b', '\xff'), { minLength: least, maxLength: most }).map(letters => letters.join(''))

test('what one pass finds is what a search for each needle finds, and nothing that was removed', () => {
  fc.assert(
    fc.property(bytes(0, 40), fc.array(bytes(2, 6)), fc.array(bytes(2, 6)), (text, kept, removed) => {
      const index = new NeedleIndex()
      for (const needle of [...kept, ...removed]) index.add(needle)
      for (const needle of removed) index.remove(needle)
      const wanted = kept.flatMap(needle =>
        Array.from(text, (_, at) => [at, at + needle.length]).filter(([at]) => text.startsWith(needle, at)),
      )
      const sorted = (places: readonly (readonly number[])[]) => places.map(place => place.join()).sort()
      expect(sorted(index.placesIn(text, () => false))).toEqual(sorted(wanted))
    }),
  )
})

test('the beginning of a needle counts where it is said to be shortened', () => {
  const index = new NeedleIndex()
  index.add('abcdef')
  const seen: (readonly [string, number, number])[] = []
  const places = index.placesIn('xabcd..', (...found) => seen.push(found) > 0)
  expect([places, seen]).toEqual([[[1, 5]], [['abcdef', 1, 5]]])
})
