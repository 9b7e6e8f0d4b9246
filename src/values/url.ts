/** Undefined for what is no URL. `URL.canParse` of Node 20 refuses text with an ü, once it was compiled to machine code. */
export function parseUrl(text: string, base?: URL | string): URL | undefined {
  try {
    return new URL(text, base)
  } catch {
    return undefined
  }
}
