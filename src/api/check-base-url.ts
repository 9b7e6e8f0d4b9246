/** Advice for an answer that may come from a wrong base URL. */
export const checkBase = 'Check the base URL'

/** Every request adds `/api`, so a base URL that people copied with it has it twice. */
export function checkBaseOf(url: URL): string {
  const before = /^(.*?)\/api(?:\/(?:projects|organizations)(?:\/.*)?)?\/api\/(?:projects|organizations)\//.exec(
    url.pathname,
  )
  return before ? `${checkBase}: perhaps it should be ${url.origin}${before[1]}/` : checkBase
}
