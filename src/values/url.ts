/** Undefined if the text is not a URL. Not `URL.canParse`: in Node 20, it refuses an ü once it is compiled. */
export function parseUrl(text: string, base?: URL | string): URL | undefined {
  try {
    return new URL(text, base)
  } catch {
    return undefined
  }
}

export function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

export function isLoopback(hostname: string): boolean {
  return /^((.*\.)?localhost|\[::1\]|127(\.\d+){3})$/.test(hostname)
}

/** Base URL of the sandbox in this process; the host exists in no network. */
export const sandboxBase = 'http://sandbox.invalid/'
