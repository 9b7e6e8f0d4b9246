const mask = '***'

/** Shorter texts occur inside ordinary words. */
const shortest = 7

export type Secrets = ReturnType<typeof createSecrets>

export function createSecrets() {
  const known = new Set<string>()
  let traces: readonly string[] | undefined
  let pattern: RegExp | undefined
  // Few texts contain a secret, and compiling the expression takes 5 ms.
  const mayContain = (text: string) => {
    traces ??= [...known].flatMap(tracesOf)
    return /[\\%]/.test(text) || traces.some(trace => text.includes(trace))
  }
  const patternOfAll = () => new RegExp([...known].flatMap(spellingsOf).sort(longestFirst).join('|'), 'g')
  return {
    add(text = ''): void {
      const secret = text.trim()
      if (secret.length < shortest || known.has(secret)) return
      known.add(secret)
      traces = undefined
      pattern = undefined
    },
    /** Replaces each by `***`: plain, JSON-escaped, percent-encoded and in Base64. */
    hide(text: string): string {
      if (known.size === 0 || !mayContain(text)) return text
      pattern ??= patternOfAll()
      return text.replace(pattern, mask)
    },
  }
}

/** A header allows only visible ASCII; quotes around a key come from a file or script. */
export function isKey(text: string): boolean {
  return /^[\x21-\x7e]+$/.test(text) && !/^(["'`]).*\1$/.test(text)
}

/** Of two spellings with the same beginning, the longer one must match first. */
function longestFirst(one: string, other: string): number {
  return other.length - one.length
}

function spellingsOf(secret: string): string[] {
  const withEitherSign = (text: string) => text.replaceAll('+', '[+-]').replaceAll('/', '[/_]')
  return [[...secret].map(spelt).join(''), ...inBase64(secret).map(withEitherSign)]
}

/** A text without any of these, a backslash or a percent sign does not contain the secret. */
function tracesOf(secret: string): string[] {
  return [secret, ...inBase64(secret).map(text => text.split(/[+/]/).sort(longestFirst)[0] ?? '')]
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

/** One text for each offset in a group of three bytes, without the characters that depend on its neighbors. */
function inBase64(secret: string): string[] {
  return [0, 2, 3].map((start, offset) => {
    const bytes = Buffer.concat([Buffer.alloc(offset), Buffer.from(secret)])
    return bytes.toString('base64').slice(start, Math.floor((bytes.length * 4) / 3))
  })
}

function literally(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
}
