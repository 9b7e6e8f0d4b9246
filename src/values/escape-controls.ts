/** Text from elsewhere, made safe for terminals and logs: characters that act or hide there are spelled out. */

/** What most text is. Tested first, since the Unicode expression takes a millisecond to compile. */
const plain = /^[\n -~]*$/

/** Each character that must not be shown as it is becomes what `spell` returns for it. Line feeds are among them. */
export function replaceControls(text: string, spell: (character: string) => string): string {
  return plain.test(text) && !text.includes('\n') ? text : text.replace(controls(), spell)
}

/**
 * Controls, format characters (bidi, zero width, tags), separators, lone surrogates and all else that draws nothing.
 * Two exceptions belong to emoji: the selector of the coloured form, and the joiner that makes one picture of several.
 */
function controls(): RegExp {
  return /(?!(?<=\p{Emoji})[\ufe0e\ufe0f])(?!(?<=\p{ExtPict}(?:\ufe0f|\p{EMod})?)\u200d(?=\p{ExtPict}))[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{DI}]/gu
}

/** Text on one line: `\n`, `\t`, `\r`, and `\u001b` or `\u{e0001}` for any other character that acts or hides. */
export function escapeControls(text: string): string {
  return replaceControls(text, character => shorthands[character] ?? codePoint(character))
}

const shorthands: Readonly<Record<string, string>> = { '\n': '\\n', '\t': '\\t', '\r': '\\r' }

function codePoint(character: string): string {
  const hex = (character.codePointAt(0) ?? 0).toString(16)
  return hex.length > 4 ? `\\u{${hex}}` : `\\u${hex.padStart(4, '0')}`
}

/**
 * JSON text that says the same: the characters stand as `\uXXXX`. Tabs and carriage returns become blanks, since valid
 * JSON has them between tokens only; line feeds stay. A text may be given in parts, cut anywhere between characters.
 */
export function escapeControlsInJson(json: Uint8Array | string): string {
  const text = typeof json === 'string' ? json : Buffer.from(json.buffer, json.byteOffset, json.byteLength).toString()
  if (plain.test(text)) return text
  return replaceControls(text, character => {
    if (character === '\n') return character
    if (character === '\t' || character === '\r') return ' '
    return character.replace(/./gs, unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
  })
}
