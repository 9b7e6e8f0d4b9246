/** Node reads bytes of an argument or a variable that are not UTF-8 as U+FFFD. */
export function isDamaged(text: string): boolean {
  return text.includes('\ufffd')
}
