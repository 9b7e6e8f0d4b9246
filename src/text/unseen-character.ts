import { replaceControls } from './escape-controls.ts'

const names: Readonly<Record<string, string>> = {
  ' ': 'a blank',
  '\t': 'a tab',
  '\n': 'a line feed',
  '\r': 'a carriage return',
  '\u00a0': 'a no-break space',
  '\u00ad': 'a soft hyphen',
  '\u200b': 'a zero width space',
  '\u200e': 'a left-to-right mark',
  '\u200f': 'a right-to-left mark',
  '\ufeff': 'a byte order mark',
}

/** Returns words such as `: it begins with a zero width space (U+200B)`, or nothing. */
export function unseenIn(text: string): string {
  const characters = [...text]
  const last = characters.length - 1
  const within = characters.findIndex(one => one !== ' ' && isUnseen(one))
  const at = [0, last, within, characters.indexOf(' ')].find(index => isUnseen(characters[index] ?? ''))
  const character = at === undefined ? undefined : characters[at]
  if (character === undefined) return ''
  const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')
  const place = at === 0 ? 'begins with' : at === last ? 'ends with' : 'holds'
  return `: it ${place} ${names[character] ?? kindOfUnseen(character)} (U+${code})`
}

/** The Braille pattern without dots looks like a blank. */
const blanks = /[\s\u2800]/

function isUnseen(character: string): boolean {
  return blanks.test(character) || (character !== '' && replaceControls(character, () => '') === '')
}

function kindOfUnseen(character: string): string {
  if (/\p{Cc}/u.test(character)) return 'a control character'
  return blanks.test(character) ? 'an unusual blank' : 'an invisible character'
}
