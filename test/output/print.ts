import type { Format } from '../../src/config/settings.ts'
import { readItem } from '../../src/json/read-item.ts'
import { type PrintOptions, rendererOf } from '../../src/output/renderer.ts'
import { recordDocument, undocumented, type View } from '../../src/output/views.ts'

/** A pipe without any option; a terminal of 80 cells. */
export const pipe: PrintOptions = {
  fields: undefined,
  color: false,
  width: undefined,
  isTerminal: false,
  note: () => undefined,
}
export const terminal: PrintOptions = { ...pipe, width: 80, isTerminal: true }

/** Matches control and invisible characters, except those within emoji. */
export const acting =
  /(?!\n|(?<=\p{Emoji})[\ufe0e\ufe0f]|(?<=\p{ExtPict}|\ufe0f|\p{EMod})\u200d(?=\p{ExtPict}))[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{DI}]/u

export interface Given {
  readonly view?: View
  readonly look?: Partial<PrintOptions>
}

const itemIn = (text: string) => readItem(Buffer.from(text))

/** Prints a list of JSON texts; an inner array is a page. */
export function printList(format: Format, given: readonly (string | readonly string[])[], how: Given = {}) {
  const pages = given.some(Array.isArray) ? given.map(one => (typeof one === 'string' ? [one] : one)) : [given]
  const rows = (pages as string[][]).map(page => page.map(itemIn))
  return print(format, { rows, isOne: false, view: how.view ?? undocumented }, how)
}

export function printObject(format: Format, item: string, how: Given = {}): Promise<string> {
  return print(format, recordDocument(itemIn(item), how.view ?? undocumented), how)
}

async function print(format: Format, document: Parameters<Awaited<ReturnType<typeof rendererOf>>>[0], how: Given) {
  const render = await rendererOf(format)
  let printed = ''
  for await (const chunk of render(document, { ...pipe, ...how.look })) printed += chunk
  return printed
}

/** Removes the indentation of a literal. */
export function text(lines: TemplateStringsArray): string {
  const raw = (lines.raw[0] ?? '').replace(/^\n/, '').replace(/\n *$/, '\n')
  const margin = /^ */.exec(raw)?.[0] ?? ''
  return raw.replaceAll(new RegExp(`^${margin}`, 'gm'), '')
}

export const ada = `{"id":1,"name":"Ada Lovelace","distinct_ids":["ada","ada-2","ada-3","ada-4"],"properties":{"email":"ada@example.com","plan":"pro"},"created_at":"2026-11-21T07:52:10.123456Z","uuid":"0190a1b2-0000-7000-8000-000000000001"}`
export const grace = `{"id":2,"name":"Grace Hopper","distinct_ids":["grace"],"properties":{},"created_at":"2026-11-20T22:00:00+02:00","uuid":"0190a1b2-0000-7000-8000-000000000002"}`
