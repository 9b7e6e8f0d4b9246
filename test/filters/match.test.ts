import { afterEach, expect, test } from 'vitest'
import { excludedBy, fixTimes, hasDoubtfulName, pathFilter, propertyFilter } from '../../src/filters/filter.ts'
import { type PersonFilter, personMatcher } from '../../src/filters/person-filter.ts'
import { decode } from '../../src/json/exact.ts'
import * as fc from '../fast-check.ts'
import { json, personRow, startServer, type TestServer } from '../server.ts'
import { World } from '../world.ts'

const ada = decode(
  JSON.stringify({
    id: 1,
    name: 'Somebody else',
    distinct_ids: ['ada', 'Device-7'],
    properties: {
      email: 'Ada@example.com',
      plan: 'pro',
      age: 36,
      vip: true,
      gone: null,
      joined: '2026-01-31',
      'a.b': 'dotted',
      empty: '',
      blank: ' ',
      hex: '0x10',
      digits: '40',
      tags: ['Early', { of: 'the Bird' }],
      big: 0,
      seen: '2026-05-14T13:00:00+02:00',
      stamp: 1767225600,
    },
  }).replace('"big":0', '"big":9007199254740993'),
)

const none: PersonFilter = { property: [] }
const now = Date.UTC(2026, 4, 15, 12)

test.each([
  [{ email: 'Ada@example.com' }, true],
  [{ email: 'ada@example.com' }, false],
  [{ distinctId: 'Device-7' }, true],
  [{ distinctId: 'device-7' }, false],
  [{ distinctId: 'Device' }, false],
  [{ search: 'ADA@' }, true],
  [{ search: 'device' }, true],
  [{ search: 'bird' }, true],
  [{ search: 'somebody' }, false],
  [{ search: '36' }, false],
  [{ search: '9007' }, false],
  [{ email: 'Ada@example.com', search: 'nobody' }, false],
] satisfies [Partial<PersonFilter>, boolean][])('%j selects: %s', (filter, selected) => {
  expect(personMatcher({ ...none, ...filter })(ada)).toBe(selected)
})

test.each([
  ['plan=pro', true],
  ['plan=Pro', false],
  ['plan=pr', false],
  ['age=36', true],
  ['vip=true', true],
  ['a.b=dotted', true],
  ['missing=x', false],
  ['age=36.0', true],
  ['age!=3.6e1', false],
  ['digits=40.00', true],
  ['big=9007199254740993.0', true],
  ['big=9007199254740992', false],
  ['plan!=pro', false],
  ['plan!=free', true],
  ['missing!=x', true],
  ['gone!=x', true],
  ['plan~PR', true],
  ['plan~free', false],
  ['missing~x', false],
  ['age>35', true],
  ['age>36', false],
  ['age>9', true],
  ['age<100', true],
  ['age>=36', true],
  ['age>=36.01', false],
  ['age<=36.0', true],
  ['age<=35', false],
  ['joined>=2026-01-31', true],
  ['joined>=2026-01-31T00:00:00.0001Z', false],
  ['joined<=2026-01-31T00:00:00Z', true],
  ['joined<=-200d', false],
  ['plan!~PR', false],
  ['plan!~free', true],
  ['missing!~x', true],
  ['gone!~x', true],
  ['gone', false],
  ['big>9007199254740992', true],
  ['big>9007199254740993', false],
  ['missing>1', false],
  ['digits>39', true],
  ['digits<9', false],
  // What is no number is neither more nor less than one.
  ['empty<5', false],
  ['blank<5', false],
  ['hex>5', false],
  ['plan>5', false],
  ['joined>5', false],
  ['vip>0', false],
  ['tags>0', false],
  ['joined>2026-01-30', true],
  ['joined<2026-01-30', false],
  ['joined<2026-01-31T00:00:00.001Z', true],
  ['joined<2026-01-31', false],
  ['joined<-90d', true],
  ['joined<-1y', false],
  ['seen<-24h', true],
  ['seen>-26h', true],
  ['seen>2026-05-14T12:00', false],
  // A number is no date, and a date is no number.
  ['stamp<2026-02-01', false],
  ['stamp>2020-01-01', false],
  ['seen>0', false],
  ['empty<2026-02-01', false],
  ['plan<2026-02-01', false],
  // Of a list one item is enough.
  ['tags=Early', true],
  ['tags!=Early', false],
  ['tags!=Late', true],
  ['tags~bird', true],
  ['plan', true],
  ['missing', false],
  ['!plan', false],
  ['!missing', true],
  ['!gone', true],
])('--property %s selects: %s', (typed, selected) => {
  const parsed = propertyFilter.parse(typed)
  if ('problem' in parsed) throw new Error(parsed.problem)
  expect(personMatcher({ property: [fixTimes(parsed.value, now)] })(ada)).toBe(selected)
})

test.each([
  ['email~', 'an unset variable'],
  ['email!=', 'an unset variable'],
  ['age>', 'an unset variable'],
  ['age<', 'an unset variable'],
  ['plan=', 'an unset variable'],
  ['plan= \t', 'blanks'],
  ['=pro', 'no name'],
  [' =pro', 'no name'],
  ['', 'nothing'],
  ['!', 'no name'],
  ['age>=3', undefined],
  ['age<=-90d', undefined],
  ['plan!~pro', undefined],
  ['plan>=pro', 'text'],
  ['plan!~', 'an unset variable'],
  ['plan=\u200b', 'nothing that is seen'],
  ['plan!~ pro', 'a blank before the value, which nobody has'],
  ['age>==3', 'a sign that there is not'],
  ['age!>3', 'a sign that there is not'],
  ['age==3', 'a sign that there is not, which would look for =3 and find nobody'],
  ['age!==3', 'a sign that there is not'],
  ['!plan=pro', 'two negations'],
  ['last_seen<12/31/2026', 'a date of no standard'],
  ['last_seen<2026-02-30', 'a day that no month has'],
  ['last_seen<-90', undefined],
  ['last_seen<-90d', undefined],
  ['last_seen<-90m', 'months or minutes'],
  ['plan>pro', 'text'],
  ['plan != pro', 'blanks around the sign'],
  // Such a name can be real, and be cleaned up: what is not there selects nobody.
  ['plan =pro', undefined],
  ['plan ', undefined],
  ['"plan"~pro', undefined],
  ['properties..plan!=pro', 'an unset variable'],
  ['plan!=“pro”', 'quotes of a word processor'],
  ['! plan', 'a blank behind !'],
  ['plan!= pro', 'a blank before the value, which nobody has'],
  ['plan!=pro\r', 'the end of a line of Windows'],
  ['plan!="pro"', 'quotes that the shell left'],
  ["'plan'!=pro", 'quotes that the shell left'],
  ["name!='t Hooft", undefined],
  ['plan= pro', undefined],
  ['first name!=Ada Lovelace', undefined],
  ['properties.!=pro', 'an unset variable'],
  ['!properties.', 'an unset variable'],
  ['!email.', 'an unset variable'],
  ['!!plan', '! twice'],
])('%s: %s', (typed, why) => {
  expect('problem' in pathFilter.parse(typed)).toBe(why !== undefined)
})

test('blanks and quotes around a name or a value never select everybody', () => {
  const edge = fc.constantFrom('', ' ', '\t', '\r', '\n', '\u00a0', '\ufeff')
  const quote = fc.constantFrom('', '"', "'")
  const part = (of: string) => fc.tuple(edge, quote, edge).map(([a, q, b]) => `${a}${q}${of}${q}${b}`)
  const typed = fc.oneof(
    fc.tuple(part('plan'), part('pro')).map(([key, value]) => `${key}!=${value}`),
    fc.tuple(edge, part('plan')).map(([space, key]) => `${space}!${key}`),
  )
  fc.assert(
    fc.property(typed, text => {
      const parsed = propertyFilter.parse(text)
      if ('value' in parsed) expect(personMatcher({ property: [parsed.value] })(ada)).toBe(false)
    }),
  )
})

test('a name is not refused for its dots', () => {
  for (const typed of ['!T.O.S.', 'Tel.', 'Tel.=5', 'T.O.S.!=yes', '!a..b', '.a', '!.']) {
    expect(propertyFilter.parse(typed)).toHaveProperty('value.key', typed.replace(/^!|!?=.*/g, ''))
  }
  expect(pathFilter.parse('!properties.T.O.S.')).toHaveProperty('value.key', 'properties.T.O.S.')
})

test.each([
  'plan!=""',
  '!""',
  '!" "',
  '"email."!=x',
  '! !plan',
  '!"properties"."plan"',
  "plan!='a' or 'b'",
  'plan!=“a” or “b”',
  '!"a""',
])('nothing can be meant by %s: no example', typed => {
  const parsed = pathFilter.parse(typed)
  expect('problem' in parsed && parsed.problem).not.toContain('write')
  expect('problem' in parsed).toBe(true)
})

test.each([
  ['!plann\u200b', '!plann'],
  ['plan!=pro\u200b', 'plan!=pro'],
  ['\u2066plan!=pro', 'plan!=pro'],
  ['plan!=pro\u034f', 'plan!=pro'],
  ['plan!=pro\ufe0f', 'plan!=pro'],
])('an invisible character that would select everyone is refused: %j', (typed, meant) => {
  expect(propertyFilter.parse(typed)).toEqual({
    problem: `${JSON.stringify(typed)} has an invisible character too many; write "${meant}"`,
  })
})

test.each([
  'country!=\u{1f3f4}\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}',
  'mood!=\u2764\ufe0f',
  'family!=\u{1f468}\u200d\u{1f467}',
])('an emoji is visible: %s', typed => {
  const parsed = pathFilter.parse(typed)
  if ('problem' in parsed) throw new Error(parsed.problem)
  expect(excludedBy(parsed.value).map(({ operator }) => operator)).toEqual(['is_set'])
})

test.each(['!pl\u200ban', 'plan!=p\u00adro'])('%j may be meant where a person has it', async typed => {
  const parsed = pathFilter.parse(`${typed.replace(/^!?/, sign => `${sign}properties.`)}`)
  if ('problem' in parsed) throw new Error(parsed.problem)
  const doubt = hasDoubtfulName(parsed.value.key) || excludedBy(parsed.value).length > 1
  expect(doubt).toBe(true)
})

test('an example in a message is accepted, and differs from what was typed only in blanks and quotes at the ends', () => {
  const piece = fc.constantFrom(
    'a',
    '.',
    '..',
    'properties.',
    'email',
    ' ',
    '"',
    "'",
    '“',
    '!',
    '=',
    '!=',
    '<',
    '-9d',
    '\t',
    '"a"',
    "'a'",
    '“a”',
    ' or ',
    '\u200b',
  )
  const typed = fc.array(piece, { maxLength: 9 }).map(pieces => pieces.join(''))
  fc.assert(
    fc.property(fc.constantFrom(pathFilter, propertyFilter), typed, fc.boolean(), ({ parse }, text, isNegative) => {
      const given = isNegative ? `!${text}` : text
      const parsed = parse(given)
      if ('value' in parsed) return
      const [, example] = /; write (".*")$/.exec(parsed.problem) ?? []
      if (example === undefined) return
      const meant = parse(JSON.parse(example))
      if ('problem' in meant) throw new Error(meant.problem)
      expect(given).toContain(meant.value.key)
      expect(unquoted(JSON.parse(example))).toBe(unquoted(given))
      for (const quote of ['"', "'", '“', '”']) {
        expect([0, countOf(quote, given)]).toContain(countOf(quote, JSON.parse(example)))
      }
    }),
    { numRuns: 3000 },
  )
})

function countOf(character: string, text: string): number {
  return text.split(character).length - 1
}

function unquoted(text: string): string {
  return text.replace(/[\s"'“”\u200b]/g, '')
}

let server: TestServer | undefined
const world = new World()
afterEach(async () => {
  await server?.close()
})

test('one record that the filter does not select stops the run before the first write', async () => {
  server = await startServer(({ query }, response) => {
    const people = [1, 2, 3].map(personRow)
    // The filter is taken note of on the first page, and forgotten on the second.
    if (query.has('cursor')) json(response, { next: null, results: people })
    else json(response, { next: '?cursor=2', results: [people[1]] })
  })
  const env = { ANALYTICS_BASE_URL: server.url, ANALYTICS_API_KEY: 'key', ANALYTICS_PROJECT: '1' }
  for (const filter of [
    '--email=person-2@example.com',
    '--search=person-2@',
    '--distinct-id=person-2',
    '--property=!note',
  ]) {
    const { code, stdout } = await world.run(['persons', 'delete', filter, '--yes', '--max', '9'], { env })
    expect([filter, code, stdout]).toEqual([filter, 10, ''])
  }
  expect([...new Set(server.asked.map(({ method }) => method))]).toEqual(['GET'])
})
