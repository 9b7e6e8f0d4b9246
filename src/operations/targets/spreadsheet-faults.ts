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
