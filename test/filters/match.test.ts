/** Which records a filter matches, and which texts are not filters. */
import { expect, test } from 'vitest'
import { checkRows, conditionOf } from '../../src/filters/check-rows.ts'
import { pathFilter, propertyFilter } from '../../src/filters/filter.ts'
import { isServerChecked, type PersonFilter, personConditions } from '../../src/filters/person-filter.ts'
import { readItem } from '../../src/json/read-item.ts'
import { noon } from '../clock.ts'

const ada = readItem(
  Buffer.from(
    JSON.stringify({
      id: 1,
      uuid: '01857bbf-0000-4000-8000-00000000000a',
      name: 'Countess',
      distinct_ids: ['ada', 'Device-7'],
      properties: {
        email: 'Ada@example.com',
        plan: 'pro',
        age: 36,
        vip: true,
        gone: null,
        joined: '2026-01-31',
        'a.b': 'dotted',
        a: { b: 'nested', c: 'below' },
        empty: '',
        blank: ' ',
        hex: '0x10',
        digits: '40',
        zip: '07',
        tags: ['Early', { of: 'the Bird' }],
        big: 0,
        seen: '2026-05-14T13:00:00+02:00',
        stamp: 1767225600,
      },
    }).replace('"big":0', '"big":9007199254740993'),
  ),
)

async function selected(filter: PersonFilter): Promise<boolean> {
  const check = checkRows({
    conditions: [...personConditions(filter), ...filter.where.map(one => conditionOf(one, noon, false))],
    typedKeys: filter.where.map(({ key }) => key),
    documented: ['properties', 'name'],
    offset: 0,
    readWhole: async row => row,
  })
  return (await check.keep([ada])).length === 1
}

test.each([
  [{ email: 'Ada@example.com' }, true],
  [{ email: 'ada@example.com' }, false],
  [{ distinctId: 'Device-7' }, true],
  [{ distinctId: 'device-7' }, false],
  [{ distinctId: 'Device' }, false],
  [{ search: 'ADA@' }, true],
  [{ search: 'device' }, true],
  [{ search: 'bird' }, true],
  [{ search: 'count' }, true],
  [{ search: '01857BBF-0000-4000-8000-00000000000A' }, true],
  [{ search: '01857bbf' }, false],
  [{ search: '1' }, true],
  [{ search: '36' }, false],
  [{ email: 'Ada@example.com', search: 'nobody' }, false],
] satisfies [Omit<PersonFilter, 'where'>, boolean][])('%j selects the person: %s', async (filter, isSelected) => {
  expect(await selected({ ...filter, where: [] })).toBe(isSelected)
})

/** Each selects Ada, and each of the others does not. */
const table = `
  plan=pro  age=36  vip=true  a.b=dotted  a.c=below  age=36.0  digits=40.00  zip=07  big=9007199254740993.0
  plan!=free  missing!=x  gone!=x  tags!=Late  zip!=7  age!=37
  plan~PR  tags~bird  age~3  plan!~free  missing!~x  gone!~x
  age>35  age>9  age<100  age>=36  age<=36.0  digits>39  big>9007199254740992
  joined>=2026-01-31  joined<=2026-01-31T00:00:00Z  joined>2026-01-30  joined<2026-01-31T00:00:00.001Z  joined<-90d
  seen<-24h  seen>-26h  tags=Early  plan  vip  empty  !missing  !gone  joined>-999999w
`
const others = `
  plan=Pro  plan=pr  missing=x  big=9007199254740992  zip=7  a.b=nested
  plan!=pro  age!=3.6e1  tags!=Early  plan~free  missing~x  plan!~PR
  age>36  age>=36.01  age<=35  digits<9  big>9007199254740993  missing>1
  empty<5  blank<5  hex>5  plan>5  joined>5  vip>0  tags>0
  joined>=2026-01-31T00:00:00.0001Z  joined<=-200d  joined<2026-01-30  joined<2026-01-31
  seen>2026-05-14T12:00  stamp<2026-02-01  stamp>2020-01-01  seen>0  empty<2026-02-01  plan<2026-02-01
  gone  missing  !plan
`
const rows = [
  ...words(table).map(typed => [typed, true] as const),
  ...words(others).map(typed => [typed, false] as const),
]

function words(text: string): string[] {
  return text.split(/\s+/).filter(Boolean)
}

test.each(rows)('--property %s selects the person: %s', async (typed, isSelected) => {
  const parsed = propertyFilter.parse(typed)
  if ('problem' in parsed) throw new Error(parsed.problem)
  expect(await selected({ where: [parsed.value] })).toBe(isSelected)
})

test('--property is short for --where properties.', () => {
  for (const typed of ['plan=pro', '!plan', 'plan', 'a.b!~x']) {
    const long = typed.replace(/^!?/, sign => `${sign}properties.`)
    expect(propertyFilter.parse(typed)).toEqual(pathFilter.parse(long))
    expect(propertyFilter.parse(long)).toEqual(pathFilter.parse(long))
  }
})

test.each([
  ['email~', 'an unset variable'],
  ['age>', 'an unset variable'],
  ['plan= \t', 'blanks'],
  ['plan!~', 'an unset variable'],
  ['=pro', 'no name'],
  [' =pro', 'no name'],
  ['', 'nothing'],
  ['!', 'no name'],
  ['plan>=pro', 'a text'],
  ['age>==3', 'a sign that there is not'],
  ['age!>3', 'a sign that there is not'],
  ['age==3', 'a sign that there is not'],
  ['age!==3', 'a sign that there is not'],
  ['!plan=pro', 'two negations'],
  ['!!plan', 'two negations'],
  ['seen<12/31/2026', 'a date of no standard'],
  ['seen<2026-02-30', 'a day that no month has'],
  ['seen<-90m', 'months or minutes'],
  ['properties.!=pro', 'an unset variable'],
  ['!properties.', 'an unset variable'],
  ['properties..plan!=pro', 'an unset variable'],
])('%s is not a filter: %s', typed => {
  expect(pathFilter.parse(typed)).toHaveProperty('problem')
})

test.each([
  'age>=3',
  'age<=-90d',
  'plan!~pro',
  'seen<-90',
  'plan= pro',
  "name!='t Hooft",
  'Tel.=5',
  '!T.O.S.',
  'a=b=c',
])('%s is a filter', typed => {
  expect(pathFilter.parse(typed)).toHaveProperty('value')
})

const sent = 'plan=pro plan plan~Pro email~ada@'
const unsent = `plan=3 plan=3.0 plan=true plan=null plan!=pro !plan plan!~pro age>3 age<=3 seen<2026-01-01
  plan~3 plan~é plan~a"b plan~a\\b a.b=pro`

test.each([
  ...words(sent).map(typed => [typed, true] as const),
  ...words(unsent).map(typed => [typed, false] as const),
])('--property %s is also sent to the server: %s', (typed, isAsked) => {
  const parsed = propertyFilter.parse(typed)
  expect('value' in parsed && isServerChecked(parsed.value)).toBe(isAsked)
})
