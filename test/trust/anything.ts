/** Random command lines, files and responses, for `fuzz.test.ts`. */
import { allCommands } from '../../scripts/all-commands.ts'
import { type OptionSpec, optionName } from '../../src/cli/command.ts'
import { settingRows } from '../../src/config/settings.ts'
import type { Dispatcher } from '../../src/host.ts'
import * as fc from '../fast-check.ts'
import { dispatcherOf } from '../in-memory.ts'

/** Text with many special characters. */
export const text = fc.oneof(
  fc.string({ unit: fc.character, maxLength: 12 }),
  fc.string({
    unit: fc.constantFrom(
      ...'aé漢😀👩🏽\u0301\u202e\u200b\u200d\ufe0f\x1b[]{}"\'\\,;:#&*!|>%@-+=.0123\t \r\n\0\ufeff\ud800',
    ),
    maxLength: 12,
  }),
  fc.constantFrom(
    '__proto__',
    'constructor',
    'null',
    'NaN',
    '1e400',
    '-0',
    '9007199254740993',
    '..',
    '%2e%2e',
    `$\{SECRET}`,
    '@x',
    '-',
  ),
)

/** A nested JSON value. */
export const value: fc.Arbitrary<unknown> = fc.letrec(tie => ({
  any: fc.oneof({ maxDepth: 4 }, text, fc.double(), fc.boolean(), fc.constant(null), tie('list'), tie('object')),
  list: fc.array(tie('any'), { maxLength: 4 }),
  object: fc.dictionary(
    fc.oneof(text, fc.constantFrom('id', 'name', 'properties', 'results', 'next', 'api_token')),
    tie('any'),
    { maxKeys: 5 },
  ),
})).any

/** JSON, also with bytes changed, removed or inserted. */
export const damaged: fc.Arbitrary<Buffer> = fc
  .tuple(value, fc.array(fc.tuple(fc.nat(), fc.nat(2), fc.uint8Array({ maxLength: 3 })), { maxLength: 3 }))
  .map(([whole, changes]) => {
    let bytes: Buffer = Buffer.from(JSON.stringify(whole))
    for (const [place, taken, put] of changes) {
      const at = place % (bytes.length + 1)
      bytes = Buffer.concat([bytes.subarray(0, at), put, bytes.subarray(at + taken)])
    }
    return bytes
  })

/** The bytes cut into pieces. */
export function pieces(bytes: Uint8Array, sizes: readonly number[]): Uint8Array[] {
  const found: Uint8Array[] = []
  for (let from = 0, n = 0; from < bytes.length; n++) {
    const size = sizes.length === 0 ? bytes.length : (sizes[n % sizes.length] ?? 1)
    found.push(bytes.subarray(from, from + size))
    from += size
  }
  return found
}

export const sizes = fc.array(fc.integer({ min: 1, max: 9 }), { maxLength: 4 })

/** Valid values for each kind of option, so that most command lines are accepted. */
const suited: Readonly<Record<string, readonly string[]>> = {
  integer: ['0', '1', '2', '100'],
  rate: ['1000/s'],
  duration: ['1s', '5m'],
  JSON: ['{"a":1}', 'null', '[1.0]'],
  assignment: ['x=1', 'name={}', 'a.b=null'],
  'property filter': ['plan=pro', '!plan', 'age>3'],
  'date-time': ['2026-01-31T12:00:00Z'],
  string: ['1', 'a', 'id', 'id,name', '[0]', '-', '@x', '{"a":1}'],
}

/** Command lines: each command with some of its options, valid and invalid values, and random words. */
export async function commandLines(): Promise<fc.Arbitrary<readonly string[]>> {
  const { commands } = await allCommands()
  const described = commands.filter(({ words }) => !/^sandbox|^completion|^doctor/.test(words))
  const odd = fc.oneof(
    text.map(one => one.replaceAll('\0', '')),
    fc.constantFrom('', '--', '-', '-x', '--no', '--help', '-y', '-n', 'true'),
  )
  const rarely = (usual: fc.Arbitrary<string>) =>
    fc.oneof({ weight: 9, arbitrary: usual }, { weight: 1, arbitrary: odd })
  const optionOf = (
    name: string,
    { form, value, short, kind }: Pick<OptionSpec, 'value' | 'kind'> & { form?: string; short?: string | undefined },
  ) => {
    const opposite = form === 'toggle' ? [`--no-${name.slice(2)}`] : []
    const named = fc.constantFrom(name, ...opposite, ...(short ? [short] : []))
    if (!value) return named.map(one => [one])
    const given = rarely(fc.constantFrom(...(kind.choices ?? suited[kind.name] ?? suited.string ?? [])))
    return fc.tuple(named, given).map(([one, what]) => (one.startsWith('--') ? [`${one}=${what}`] : [one, what]))
  }
  const shared = settingRows.flatMap(([, { option, ...row }]) =>
    option && !elsewhere.has(option) ? [optionOf(option, row)] : [],
  )
  const lines = described.map(({ words, command }) => {
    const own = Object.entries(command.options ?? {}).map(([name, spec]) => optionOf(optionName(name), spec))
    const args = Object.values(command.args ?? {})
    const argument = rarely(fc.constantFrom('1', '2', 'GET', 'a'))
    return fc
      .tuple(
        fc.tuple(
          ...args.map(({ flags }) => fc.array(argument, { minLength: 1, maxLength: flags.endsWith('...]') ? 3 : 1 })),
        ),
        own.length > 0 ? fc.array(fc.oneof(...own), { maxLength: 3 }) : fc.constant([]),
        fc.array(fc.oneof(...shared), { maxLength: 2 }),
        fc.constantFrom([], [], ['--yes']),
        fc.oneof({ weight: 9, arbitrary: fc.constant([]) }, { weight: 1, arbitrary: odd.map(one => [one]) }),
      )
      .map(([given, some, more, yes, last]) => [
        ...words.split(' '),
        ...[...given, ...some, ...more].flat(),
        ...yes,
        ...last,
      ])
  })
  return fc.oneof(
    { weight: 20, arbitrary: fc.oneof(...lines) },
    { weight: 1, arbitrary: fc.array(odd, { maxLength: 4 }) },
  )
}

/** Options that would lead to another service, or print too much. */
const elsewhere: ReadonlySet<string> = new Set(['--sandbox', '--profile', '--base-url', '--debug'])

/** Answers every request with `body`, and records what was sent. */
export function answering(body: string, sent: { readonly method: string; readonly path: string }[]): Dispatcher {
  return dispatcherOf(({ method, url }) => {
    sent.push({ method, path: `${url.pathname}${url.search}` })
    return { status: 200, headers: { 'content-type': 'application/json' }, body }
  })
}
