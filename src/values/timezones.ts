import { nearest } from '../text/nearest.ts'
import { type Kind, quoteText, text } from './kinds.ts'

/** The zones without a slash. `Intl` also accepts offsets and abbreviations, some of which are ambiguous. */
const short =
  `CET CST6CDT Cuba EET EST EST5EDT Egypt Eire GB GB-Eire GMT GMT+0 GMT-0 GMT0 Greenwich HST Hongkong Iceland
Iran Israel Jamaica Japan Kwajalein Libya MET MST MST7MDT NZ NZ-CHAT Navajo PRC PST8PDT Poland Portugal ROC ROK Singapore
Turkey UCT UTC Universal W-SU WET Zulu`.split(/\s/)

function isZone(name: string): boolean {
  if (!/^[A-Z][\w+-]*(\/[A-Z][\w+-]*)+$/.test(name)) return short.includes(name)
  try {
    const known = new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone
    return known === name || known.toLowerCase() !== name.toLowerCase()
  } catch {
    return false
  }
}

/** Suggests `Europe/Berlin` for `Berlin`, but nothing for `GMT+3` or `BST`: similar names mean other times. */
function zoneProblem(typed: string): string {
  const names = /^[A-Z]{2,4}$|[+-]\d/.test(typed) ? [] : [...Intl.supportedValuesOf('timeZone'), ...short]
  const last = `/${typed.trim().replaceAll(' ', '_').toLowerCase()}`
  const near = names.find(name => name.toLowerCase().endsWith(last)) ?? nearest(typed, names)
  return `${quoteText(typed)} is not one of the IANA time zones${near ? `; did you mean ${near}?` : ''}`
}

export const timezone: Kind<string> = {
  ...text,
  takes: 'an IANA time zone such as Europe/Berlin',
  parse: typed => (isZone(typed) ? { value: typed } : { problem: zoneProblem(typed) }),
  check: value => (typeof value === 'string' && !isZone(value) ? zoneProblem(value) : text.check(value)),
}
