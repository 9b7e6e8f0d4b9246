/** Measures, cuts and folds text by terminal cells. Control characters must be removed before. */

const plain = /^[ -~]*$/

/** Two cells: East Asian wide characters, and emoji shown as pictures. */
function isWide(character: string): boolean {
  return /(?![\u{1f1e6}-\u{1f1ff}])[\p{Emoji_Presentation}\u1100-\u115f\u2329\u232a\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe10-\ufe19\ufe30-\ufe6b\uff01-\uff60\uffe0-\uffe6\u{16fe0}-\u{18dff}\u{1aff0}-\u{1b2ff}\u{1f200}-\u{1f2ff}\u{20000}-\u{3fffd}]/u.test(
    character,
  )
}

/** No cell: marks, and vowels and finals of Hangul. */
function isJoining(character: string): boolean {
  return /[\p{Mn}\p{Me}\u1160-\u11ff\ud7b0-\ud7ff]/u.test(character)
}

/** Terminals differ; this is what most of them draw. */
export function cells(text: string): number {
  if (plain.test(text)) return text.length
  const widthOfNext = createMeter()
  let width = 0
  for (const character of text) width += widthOfNext(character)
  return width
}

const colored = '\ufe0f'
const joiner = '\u200d'

/** The returned function gives the number of cells that the next character adds. */
function createMeter(): (character: string) => number {
  let picture = 0
  let joins = false
  return character => {
    const begins =
      !joins &&
      character !== colored &&
      character !== joiner &&
      !isJoining(character) &&
      !(picture === 2 && /\p{Emoji_Modifier}/u.test(character))
    const own = begins ? (isWide(character) ? 2 : 1) : joins || character === colored ? widened(picture) : 0
    picture = begins ? own : picture + own
    joins = character === joiner
    return own
  }
}

/** Cells that a picture of one cell gains when it becomes coloured. */
function widened(picture: number): number {
  return picture === 1 ? 1 : 0
}

/** A word that is too long gets its own line. */
export function fillLines(words: readonly string[], width: number): string[] {
  const lines: string[] = []
  let taken = 0
  for (const word of words) {
    const own = cells(word)
    const fits = lines.length > 0 && taken + 1 + own <= width
    if (fits) lines.push(`${lines.pop()} ${word}`)
    else lines.push(word)
    taken = fits ? taken + 1 + own : own
  }
  return lines
}

/** Returns at most `width` cells, with `…` for the removed part. */
export function cut(text: string, width: number): string {
  if (cells(text) <= width) return text
  const [first = ''] = fold(text, Math.max(0, width - 1), 1)
  return `${first}…`
}

/** Returns at most `width` characters of a URL path: keeps its end, where the id is, and the start of its query. */
export function cutPath(path: string, width: number): string {
  if (path.length <= width) return path
  const [before = ''] = path.split('?')
  const query = path.slice(before.length)
  const room = Math.max(width - before.length, Math.min(query.length, Math.floor(width / 3)))
  const left = width - room
  return (before.length <= left ? before : `…${before.slice(before.length - left + 1)}`) + cut(query, room)
}

/** Lines have at most `width` cells and at least one character; returns at most `most` lines. */
export function fold(text: string, width: number, most = Number.POSITIVE_INFINITY): string[] {
  if (text.length <= width && plain.test(text)) return [text]
  const widthOfNext = createMeter()
  const lines: string[] = []
  let line = ''
  let taken = 0
  for (const character of text) {
    const own = widthOfNext(character)
    if (taken + own > width && line !== '') {
      lines.push(line)
      if (lines.length >= most) return lines
      line = ''
      taken = 0
    }
    line += character
    taken += own
  }
  return [...lines, line]
}
