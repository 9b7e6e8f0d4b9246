export const checkBase = 'Check the base URL'

export function checkBaseOf(url: URL): string {
  const better = betterBaseOf(url)
  return better === undefined ? checkBase : `${checkBase}: perhaps it should be ${better}`
}

/** Requests add `/api`, so a copied base URL that ends in `/api` has it twice. */
export function betterBaseOf(url: URL): string | undefined {
  const before = /^(.*?)\/api(?:\/(?:projects|organizations)(?:\/.*)?)?\/api\/(?:projects|organizations)\//.exec(
    url.pathname,
  )
  return before ? `${url.origin}${before[1]}/` : undefined
}
