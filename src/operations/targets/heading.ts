/** `Distinct ID` equals `distinct_id`, and `E-Mail` equals `email`; any kind of blank or hyphen is ignored. */
export function comparedHeading(heading: string): string {
  const text = heading.trim().replace(/^"(.*)"$/, '$1')
  return text.toLowerCase().replace(/[\s_\p{Dash_Punctuation}]/gu, '')
}
