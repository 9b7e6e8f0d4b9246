/** The page of a receipt, read by a parser of HTML as browsers have it: whatever its texts hold, all of it is text. */

import { type DefaultTreeAdapterTypes, defaultTreeAdapter, type ParserError, parse } from 'parse5'
import { expect, test } from 'vitest'
import type { Receipt } from '../../../src/jobs/receipts/receipt.ts'
import { receiptPage } from '../../../src/jobs/receipts/receipt-page.ts'
import { escapeControls } from '../../../src/text/escape-controls.ts'
import * as fc from '../../fast-check.ts'

type Node = DefaultTreeAdapterTypes.Node

const hostile = [
  `"'><script src=//x.example.com>1</script>`,
  '</td></table><img src=x onerror=alert(1)>',
  '</title></style><style>@import url(//x.example.com)</style>',
  '<svg/onload=a><iframe srcdoc="<base href=//x.example.com>">',
  '<!--<![CDATA[ &lt;&#60;&#x3c; javascript:alert(1) {{a}}',
  '\u202e\u0000\u001b[31m\u2028</p\n><a href=b>\ud800',
]

const text = fc.oneof(fc.constantFrom(...hostile), fc.string({ unit: fc.character }))
const orNull = fc.option(text)

const receipts: fc.Arbitrary<Receipt> = fc.record({
  receipt: fc.constant(2),
  tool: text,
  command: text,
  base_url: text,
  project: fc.constant('1'),
  profile: orNull,
  path: fc.constant({ project_id: '1' }),
  job: orNull,
  reason: orNull,
  actor: fc.record({ user: orNull, machine: text, ci: orNull, run: orNull }),
  requested_by: orNull,
  request_received_at: orNull,
  due_by: orNull,
  started_at: text,
  finished_at: text,
  complete: fc.boolean(),
  counts: fc.record({ deleted: fc.nat(), updated: fc.nat(), gone: fc.nat(), failed: fc.nat(), left: fc.nat() }),
  events: fc.option(fc.record({ queued: fc.boolean(), due_at: text, note: text })),
  targets_sha256: text,
  input: fc.option(fc.record({ lines: fc.nat(), matched: fc.nat(), unmatched: fc.array(fc.nat()), sha256: text })),
  backup: fc.option(fc.record({ path: text, sha256: orNull })),
  notes: fc.array(text),
  outcomes: fc.array(
    fc.record({
      id: text,
      status: fc.constantFrom('deleted' as const, 'failed' as const, 'left' as const),
      error: fc.option(
        fc.record({
          name: fc.constant('rejected' as const),
          status: fc.option(fc.nat()),
          code: orNull,
          message: text,
        }),
      ),
      evidence: fc.constantFrom('answered' as const, 'inferred' as const, null),
      at: orNull,
    }),
  ),
})

const any: Receipt = { ...(fc.sample(receipts, { numRuns: 1, seed: 1 })[0] as Receipt), command: 'persons delete' }

const styleOf = (page: string) => /<style>([^<]*)<\/style>/.exec(page)?.[1] ?? ''

function read(page: string) {
  const errors: ParserError[] = []
  const elements: DefaultTreeAdapterTypes.Element[] = []
  const texts: string[] = []
  const visit = (node: Node) => {
    if (defaultTreeAdapter.isElementNode(node)) elements.push(node)
    if (defaultTreeAdapter.isTextNode(node) && node.parentNode?.nodeName !== 'style') texts.push(node.value)
    if ('childNodes' in node) node.childNodes.forEach(visit)
  }
  const onParseError = (error: ParserError) => {
    // Such a character is shown as any other that has no glyph.
    if (error.code !== 'noncharacter-in-input-stream') errors.push(error)
  }
  visit(parse(page, { onParseError }))
  return { errors, elements, texts }
}

/** Every text and number in a value. */
function leaves(value: unknown): string[] {
  if (value === null || typeof value === 'boolean') return []
  return typeof value === 'object' ? Object.values(value).flatMap(leaves) : [String(value)]
}

const known = 'html head meta title style body h1 h2 p strong table thead tbody tr th td'.split(' ')
const attributes = ['lang=en', 'charset=utf-8', 'http-equiv=Content-Security-Policy', 'scope=row', 'scope=col'].concat(
  "content=default-src 'none'; style-src 'unsafe-inline'",
)

test('it is valid, nothing in it is active or loaded, and it says all that the receipt says', () => {
  const harmless = styleOf(receiptPage(any))
  expect(harmless).not.toMatch(/url\(|@import|expression/)
  fc.assert(
    fc.property(receipts, receipt => {
      const page = receiptPage(receipt)
      const { errors, elements, texts } = read(page)
      expect(errors).toEqual([])
      expect(elements.map(({ tagName }) => tagName).filter(name => !known.includes(name))).toEqual([])
      const set = elements.flatMap(({ attrs }) => attrs.map(({ name, value }) => `${name}=${value}`))
      expect(set.filter(one => !attributes.includes(one))).toEqual([])
      expect(styleOf(page)).toBe(harmless)
      const shown = texts.join('\n')
      expect(shown).not.toMatch(/[\u202e\u001b\u0000]/)
      const { events, complete, ...rest } = receipt
      expect(leaves({ ...rest, ...events }).filter(one => !shown.includes(escapeControls(one)))).toEqual([])
    }),
  )
})

test('it says first that something is left', () => {
  const counts = { deleted: 1, updated: 0, gone: 0, failed: 0, left: 1 }
  const outcome = { id: '3', status: 'left', error: null, evidence: null, at: null } as const
  const page = receiptPage({ ...any, complete: false, counts, outcomes: [outcome, outcome] })
  expect(page).toContain('<h1>Receipt: persons delete</h1>\n<p><strong>Not complete: no outcome for 1 of 2 targets')
  expect(receiptPage({ ...any, complete: true })).not.toContain('Not complete')
})

test('its times are as those of tables', () => {
  const page = receiptPage({ ...any, finished_at: '2026-05-15T14:00:02.123+02:00' })
  expect(page).toContain('Finished</th><td>2026-05-15 12:00:02Z</td>')
})
