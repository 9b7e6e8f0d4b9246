import { oneOf } from './kinds.ts'

export const formats = ['table', 'json', 'ndjson', 'csv', 'ids'] as const

export type Format = (typeof formats)[number]

const otherFormats: Readonly<Record<string, Format>> = {
  jsonl: 'ndjson',
  'json-lines': 'ndjson',
  text: 'table',
  wide: 'table',
  name: 'ids',
  id: 'ids',
}

const kind = oneOf(...formats)

export const formatKind: typeof kind = {
  ...kind,
  parse(text) {
    const meant = Object.hasOwn(otherFormats, text) ? otherFormats[text] : undefined
    const instead = /[./\\]/.test(text) ? 'to write to a file use > FILE' : meant && `did you mean ${meant}?`
    return instead
      ? { problem: `${JSON.stringify(text)} is not one of ${formats.join(', ')}; ${instead}` }
      : kind.parse(text)
  },
}
