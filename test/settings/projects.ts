/** Arbitrary projects, and a change for each kind of field, made from the rows. */

import type { JsonObject } from '../../src/json/exact.ts'
import { decode } from '../../src/json/exact.ts'
import { fields } from '../../src/settings/fields.ts'
import { boolean, json, type Kind } from '../../src/values/kinds.ts'
import { timezones } from '../../src/values/timezones.ts'
import * as fc from '../fast-check.ts'

/** Text that a YAML file has to be careful with. */
const text = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.string({ unit: fc.character, maxLength: 5 }),
  fc.constantFrom(
    'no',
    '012',
    '1.0',
    '~',
    'a: b',
    '# a',
    ' a',
    'a\nb\n',
    '\u202e',
    `\${NAME}`,
    `$\${NAME}`,
    `$$\${A B}`,
    `\${}`,
  ),
)

const number = fc.constantFrom('1.0', '9007199254740993', '-0', '1E400', '0.10').map(source => decode(source))

const { tree } = fc.letrec<{ tree: unknown }>(tie => ({
  tree: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.oneof(text, number, fc.integer(), fc.boolean(), fc.constant(null)),
    fc.array(tie('tree'), { maxLength: 3 }),
    fc.dictionary(text, tie('tree'), { maxKeys: 3 }),
  ),
}))

function valueFor(kind: Kind<unknown>): fc.Arbitrary<unknown> {
  if (kind === json) return tree
  if (kind.item) return fc.array(text, { maxLength: 4 })
  if (kind === boolean) return fc.boolean()
  if (kind.choices) return fc.constantFrom(0, 1)
  if (kind.name === 'integer') return fc.integer()
  return kind.check('a') === undefined ? text : fc.constantFrom(...timezones())
}

/** The writable fields of a project, each of its kind or null. */
export const anyProject: fc.Arbitrary<JsonObject> = fc.record(
  Object.fromEntries([...fields].map(([field, kind]) => [field, fc.option(valueFor(kind), { freq: 8 })])),
)

/** Another value than the one there is, as a settings file spells it. */
export function otherValue(kind: Kind<unknown>, now: unknown): string {
  if (kind === json) return '{"rules": [{"id": 9007199254740993, "share": 1.0}]}'
  if (kind.item) return '["https://one.example.com", "two"]'
  if (kind === boolean) return String(now !== true)
  if (kind.choices) return now === 1 ? '0' : '1'
  if (kind.name === 'integer') return '4711'
  if (kind.check('0.75') === undefined) return '"0.75"'
  return 'Pacific/Chatham'
}

/** Free-form fields of which servers take only some values. */
const accepted: Readonly<Record<string, string>> = {
  session_recording_linked_flag: '{id: 7, key: beta, variant: test}',
  session_recording_network_payload_capture_config: '{recordBody: true}',
  session_recording_minimum_duration_milliseconds: '1500',
  primary_dashboard: '11',
  autocapture_exceptions_errors_to_ignore: '[ResizeObserver, "12"]',
}

/** Another value of a field that servers take, as a file holds it. */
export function acceptedValue(field: string, kind: Kind<unknown>, current: unknown): string {
  return accepted[field] ?? otherValue(kind, current)
}
