/** Marks of answers that a proxy or firewall gave in place of the service. */
type Headers = Readonly<Record<string, string>>

interface Answered {
  readonly status: number
  readonly headers: Headers
  /** Of an error, the whole body; of a success, its beginning. */
  readonly body: string
}

export interface GatewayMark {
  /** What the proxy or firewall answered with. */
  readonly what: string
  /** What to do, where the answer tells it. */
  readonly hint?: () => string
  readonly is: (answered: Answered) => boolean
}

export const webPage: GatewayMark = {
  what: 'a web page',
  // Some servers call an empty body of theirs a web page.
  is: ({ status, headers, body }) => isPage(headers, body) && !(status < 300 && body.trim() === ''),
}

/** The first mark that an answer bears. */
const marks: readonly GatewayMark[] = [
  { what: 'a challenge (cf-mitigated)', is: ({ headers }) => 'cf-mitigated' in headers },
  { what: 'a challenge (x-amzn-waf-action)', is: ({ headers }) => 'x-amzn-waf-action' in headers },
  {
    what: 'a log-in of its own (WWW-Authenticate)',
    is: ({ headers }) => /\b(basic|digest|negotiate|ntlm)\b/i.test(headers['www-authenticate'] ?? ''),
  },
  webPage,
  { what: 'plain text', is: ({ status, body }) => explained.has(status) && /^\s*[^\s{["]/.test(body) },
]

/** The service gives its reasons for these in JSON. */
const explained: ReadonlySet<number> = new Set([401, 403, 404, 405, 413, 414])

/** Undefined if the service may have answered. */
export function gatewayAnswer(answered: Answered): GatewayMark | undefined {
  return marks.find(({ is }) => is(answered))
}

export function isPage(headers: Headers, body: string): boolean {
  return /^\s*text\/html\b/i.test(headers['content-type'] ?? '') || /^\s*<(!doctype|html|head|body)\b/i.test(body)
}
