const mask = '***'

/** Shorter texts occur inside ordinary words. */
const shortest = 8

export interface Secrets {
  /** Ignores texts of fewer than 8 characters. */
  add(text: string | undefined): void
  /** Replaces each by `***`: plain, JSON-escaped, percent-encoded and in Base64. */
  hide(text: string): string
}

export function createSecrets(): Secrets {
  const spellings = new Set<string>()
  let pattern: RegExp | undefined
  return {
    add(text = '') {
      const secret = text.trim()
      const before = spellings.size
      if (secret.length >= shortest) for (const spelling of spellingsOf(secret)) spellings.add(spelling)
      if (spellings.size > before) pattern = new RegExp([...spellings].sort(longestFirst).join('|'), 'g')
    },
    hide: text => (pattern === undefined ? text : text.replace(pattern, mask)),
  }
}

/** A header allows only visible ASCII; quotes around a key come from a file or script. */
export function isKey(text: string): boolean {
  return /^[\x21-\x7e]+$/.test(text) && !/^(["'`]).*\1$/.test(text)
}

/** Of two that begin alike, the longer one has to be found. */
function longestFirst(one: string, other: string): number {
  return other.length - one.length
}

function spellingsOf(secret: string): string[] {
  return [[...secret].map(spelt).join(''), ...[0, 1, 2].map(offset => base64At(offset, secret))]
}

/** A character as it is, escaped in JSON, or percent-encoded. */
function spelt(character: string): string {
  const escaped = Array.from({ length: character.length }, (_, i) => hex(character.charCodeAt(i), 4))
  const bytes = [...Buffer.from(character)].map(byte => hex(byte, 2))
  const plain = `${/["\\/]/.test(character) ? '\\\\?' : ''}${literally(character)}`
  return `(?:${plain}|${escaped.map(code => `\\\\u${code}`).join('')}|${bytes.map(code => `%${code}`).join('')})`
}

function hex(code: number, digits: number): string {
  return code
    .toString(16)
    .padStart(digits, '0')
    .replace(/[a-f]/g, letter => `[${letter}${letter.toUpperCase()}]`)
}

/** Base64 depends on the offset in a group of three bytes; characters shared with neighbours are left out. */
function base64At(offset: number, secret: string): string {
  const bytes = Buffer.concat([Buffer.alloc(offset), Buffer.from(secret)])
  const certain = bytes.toString('base64').slice([0, 2, 3][offset], Math.floor((bytes.length * 4) / 3))
  return certain.replace(/[+/]/g, sign => (sign === '+' ? '[+-]' : '[/_]'))
}

function literally(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
}
