import { oneOf } from './kinds.ts'

export const formats = ['table', 'json', 'ndjson', 'csv', 'ids'] as const

export type Format = (typeof formats)[number]

const kind = oneOf(...formats)

/** People name the file that they want. */
export const formatKind: typeof kind = {
  ...kind,
  parse(text) {
    if (!/[./\\]/.test(text)) return kind.parse(text)
    return { problem: `${JSON.stringify(text)} is not one of ${formats.join(', ')}; to write to a file use > FILE` }
  },
}
