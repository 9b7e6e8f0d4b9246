/** Control characters must be removed before. */
import stringWidth from 'string-width'

const plain = /^[ -~]*$/

export function cells(text: string): number {
  return plain.test(text) ? text.length : stringWidth(text)
}

export function cut(text: string, width: number): string {
  if (cells(text) <= width) return text
  let shown = ''
  let taken = 1
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    taken += cells(segment)
    if (taken > width) break
    shown += segment
  }
  return `${shown}…`
}
