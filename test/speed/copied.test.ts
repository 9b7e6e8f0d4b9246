import { expect, test } from 'vitest'
import { Slicer } from '../../src/json/slice.ts'
import { personRow } from '../server.ts'

const size = 64 * 1024

/** A page of so many persons in the chunks in which a socket gives it. */
function chunksOf(rows: number): Buffer[] {
  const results = Array.from({ length: rows }, (_, i) => personRow(i + 1))
  const body = Buffer.from(JSON.stringify({ count: rows, next: null, previous: null, results }))
  const chunks: Buffer[] = []
  for (let from = 0; from < body.length; from += size) chunks.push(Buffer.from(body.subarray(from, from + size)))
  return chunks
}

test('a row is never copied, but for the one on the border of two chunks, which is put together once', () => {
  const chunks = chunksOf(1000)
  const slicer = new Slicer()
  const items = chunks.flatMap(chunk => slicer.push(chunk))
  slicer.end()
  const memory = new Set(chunks.map(chunk => chunk.buffer))
  const copied = items.filter(item => !memory.has(item.buffer))
  expect(items).toHaveLength(1000)
  expect(copied.length).toBe(chunks.length - 1)
  expect(copied.reduce((sum, item) => sum + item.length, 0) / items.length).toBeLessThan(20)
})

test('a row that is spread over a hundred chunks is put together once, not a hundred times', () => {
  const row = JSON.stringify({ note: 'x'.repeat(100 * size) })
  const body = Buffer.from(`{"results":[${row}]}`)
  const slicer = new Slicer()
  const pieces: Buffer[] = []
  for (let from = 0; from < body.length; from += size) {
    const items = slicer.push(body.subarray(from, from + size))
    pieces.push(...items)
  }
  expect(pieces.map(item => item.length)).toEqual([row.length])
})
