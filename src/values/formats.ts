export const formats = ['table', 'json', 'ndjson', 'csv', 'yaml', 'ids'] as const

export type Format = (typeof formats)[number]
