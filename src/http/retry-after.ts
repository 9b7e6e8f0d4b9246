/** Seconds, rounded up, the largest of several. Dates are compared with the answer's `Date`: our clock may be wrong. */
export function retryAfter(headers: Readonly<Record<string, string>>, body: string, now?: number): number | undefined {
  const value = headers['retry-after']?.trim() ?? ''
  if (/^\d+(\.\d+)?(\s*,\s*\d+(\.\d+)?)*$/.test(value)) return finite(Math.max(...value.split(',').map(Number)))
  const until = /[a-z]/i.test(value) ? Date.parse(value) : Number.NaN
  if (!Number.isNaN(until)) {
    const sent = Date.parse(headers.date ?? '')
    const from = Number.isNaN(sent) ? now : sent
    return from === undefined ? undefined : Math.max(0, Math.ceil((until - from) / 1000))
  }
  const seconds = /Expected available in (\d+) seconds?/.exec(body)?.[1]
  return seconds === undefined ? undefined : finite(Number(seconds))
}

function finite(seconds: number): number | undefined {
  return Number.isFinite(seconds) ? Math.ceil(seconds) : undefined
}
