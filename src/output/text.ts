/** Text in cells of a terminal: how wide it is, cut and folded to a width. It has no control characters any more. */

const plain = /^[ -~]*$/

/** What takes two cells: East Asian wide characters and emoji that show as pictures. */
function isWide(character: string): boolean {
  return /(?![\u{1f1e6}-\u{1f1ff}])[\p{Emoji_Presentation}\u1100-\u115f\u2329\u232a\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe10-\ufe19\ufe30-\ufe6b\uff01-\uff60\uffe0-\uffe6\u{16fe0}-\u{18dff}\u{1aff0}-\u{1b2ff}\u{1f200}-\u{1f2ff}\u{20000}-\u{3fffd}]/u.test(
    character,
  )
}

/** What is drawn onto the character before it: marks, and vowels and finals of Hangul. */
function isJoining(character: string): boolean {
  return /[\p{Mn}\p{Me}\u1160-\u11ff\ud7b0-\ud7ff]/u.test(character)
}

/** The width of text at a terminal. What emulators disagree on is counted as most of them draw it. */
export function cells(text: string): number {
  if (plain.test(text)) return text.length
  const widthOfNext = createMeter()
  let width = 0
  for (const character of text) width += widthOfNext(character)
  return width
}

const colored = '\ufe0f'
const joiner = '\u200d'

/** Returns for each character of a text, in turn, how many cells it adds to those before it. */
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

/** Cells by which a picture of one cell grows when it becomes a coloured one; at the beginning of a text there is none. */
function widened(picture: number): number {
  return picture === 1 ? 1 : 0
}

/** The text in at most `width` cells, with `…` in place of what had to go. */
export function cut(text: string, width: number): string {
  if (cells(text) <= width) return text
  const [first = ''] = fold(text, Math.max(0, width - 1), 1)
  return `${first}…`
}

/** The text in lines of at most `width` cells, and at least one character; no more than `most` of them. */
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
