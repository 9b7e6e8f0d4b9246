/** Tested first, because compiling the Unicode expression takes a millisecond. */
const plain = /^[\n -~]*$/

export function replaceControls(text: string, spell: (character: string) => string): string {
  return plain.test(text) && !text.includes('\n') ? text : text.replace(controls(), spell)
}

/** Matches control and invisible characters, except the variation selector and the joiner in emoji. */
function controls(): RegExp {
  return /(?!(?<=\p{Emoji})[\ufe0e\ufe0f])(?!(?<=\p{ExtPict}(?:\ufe0f|\p{EMod})?)\u200d(?=\p{ExtPict}))[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{DI}]/gu
}

/** Writes `\n`, `\t`, `\u001b` or `\u{e0001}` for an invisible character. */
export function escapeControls(text: string): string {
  return replaceControls(text, character => shorthands[character] ?? codePoint(character))
}

const shorthands: Readonly<Record<string, string>> = { '\n': '\\n', '\t': '\\t', '\r': '\\r' }

function codePoint(character: string): string {
  const hex = (character.codePointAt(0) ?? 0).toString(16)
  return hex.length > 4 ? `\\u{${hex}}` : `\\u${hex.padStart(4, '0')}`
}

/** Returns equivalent JSON with `\uXXXX` for invisible characters; the text may come in parts. */
export function escapeControlsInJson(text: string): string {
  if (plain.test(text)) return text
  return replaceControls(text, character => {
    if (character === '\n') return character
    if (character === '\t' || character === '\r') return ' '
    return character.replace(/./gs, unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
  })
}

/** Escapes `::` and `##[` at the start of a line, which CI runners run as commands. */
export function escapeRunnerCommands(text: string): string {
  return text.replace(
    /^([^\S\n]*)(::|##)/gm,
    (_, blanks, [first]) => `${blanks}\\u00${first === ':' ? '3a' : '23'}${first}`,
  )
}
