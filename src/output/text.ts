/** Text for tables and messages: what would act or hide on a terminal is spelled out, and width is counted in cells. */

/** What most text is. Asked first: expressions that know Unicode take a millisecond to make. */
const plain = /^[ -~]*$/

/** The text with each hidden character put as `say` has it. */
export function spell(text: string, say: (character: string) => string): string {
  return plain.test(text) ? text : text.replace(hidden(), say)
}

/**
 * Controls, format characters (bidi, zero width, tags), separators, lone surrogates and whatever else draws nothing.
 * The exception asks for the coloured form of the emoji before it: people write it without knowing.
 */
function hidden(): RegExp {
  return /(?!(?<=\p{Emoji})[\ufe0e\ufe0f])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu
}

/** The text with nothing alive in it: `\n`, `\t`, `\r`, and `\u001b` or `\u{e0001}` for anything else hidden. */
export function visible(text: string): string {
  return spell(text, character => shorthands[character] ?? codePoint(character))
}

const shorthands: Readonly<Record<string, string>> = { '\n': '\\n', '\t': '\\t', '\r': '\\r' }

function codePoint(character: string): string {
  const hex = (character.codePointAt(0) ?? 0).toString(16)
  return hex.length > 4 ? `\\u{${hex}}` : `\\u${hex.padStart(4, '0')}`
}

/** What `visible` leaves as it is and takes two cells: East Asian wide characters and emoji that show as pictures. */
function isWide(character: string): boolean {
  return /(?![\u{1f1e6}-\u{1f1ff}])[\p{Emoji_Presentation}\u1100-\u115f\u2329\u232a\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe10-\ufe19\ufe30-\ufe6b\uff01-\uff60\uffe0-\uffe6\u{16fe0}-\u{18dff}\u{1aff0}-\u{1b2ff}\u{1f200}-\u{1f2ff}\u{20000}-\u{3fffd}]/u.test(
    character,
  )
}

/** What is drawn onto the character before it: marks, and vowels and finals of Hangul. */
function isJoining(character: string): boolean {
  return /[\p{Mn}\p{Me}\u1160-\u11ff\ud7b0-\ud7ff]/u.test(character)
}

/** The width of visible text at a terminal. What emulators disagree on is counted as most of them draw it. */
export function cells(text: string): number {
  if (plain.test(text)) return text.length
  let width = 0
  let last = 0
  for (const character of text) {
    const own = widthBehind(character, last)
    width += own
    if (own > 0) last = own
  }
  return width
}

/** Cells that a character adds behind one of `last` cells. */
function widthBehind(character: string, last: number): number {
  if (character === '\ufe0f') return last === 1 ? 1 : 0
  if (isJoining(character) || (last === 2 && /\p{Emoji_Modifier}/u.test(character))) return 0
  return isWide(character) ? 2 : 1
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
  const lines: string[] = []
  let line = ''
  let taken = 0
  let last = 0
  for (const character of text) {
    const own = widthBehind(character, last)
    if (taken + own > width && line !== '') {
      lines.push(line)
      if (lines.length >= most) return lines
      line = ''
      taken = 0
    }
    line += character
    taken += own
    if (own > 0) last = own
  }
  return [...lines, line]
}
