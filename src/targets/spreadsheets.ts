/** `Distinct ID` equals `distinct_id`, and `E-Mail` equals `email`; any kind of blank or hyphen is ignored. */
export function comparedHeading(heading: string): string {
  const text = heading.trim().replace(/^"(.*)"$/, '$1')
  return text.toLowerCase().replace(/[\s_\p{Dash_Punctuation}]/gu, '')
}

/** What a spreadsheet writes in place of a value. */

export function isFailedFormula(cell: string): boolean {
  return /^#(N\/A|REF!|VALUE!|NAME\?|DIV\/0!|NUM!|NULL!)$/.test(cell)
}

/** Excel rounds what has more than 11 digits. */
const rounded = /^\d([.,]\d+)?E\+(1[1-9]|[2-9]\d)$/i

/** Follows the cell in a message; undefined for a name as people have it. */
export function spreadsheetFault(cell: string): string | undefined {
  if (isFailedFormula(cell)) return 'which a spreadsheet shows for a formula that failed'
  return rounded.test(cell) ? 'which a spreadsheet has rounded' : undefined
}
