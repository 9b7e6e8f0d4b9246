/** Makes column headings: `created_at` → `Created`, `properties.email` → `Email`. */

const acronyms = new Set(['api', 'ca', 'http', 'id', 'ids', 'ip', 'ips', 'url', 'urls', 'uuid'])

/** Of equal headings, the later ones show the path of their field. */
export function headingsOf(paths: readonly string[]): string[] {
  const headings = paths.map(path => headingOf(path.replace(/^properties\./, '')))
  return headings.map((heading, i) => (headings.indexOf(heading) === i ? heading : (paths[i] ?? '')))
}

/** A path, or a name of another form, is its own heading. */
export function headingOf(name: string): string {
  if (!/^[a-z]+(_[a-z]+)*$/.test(name)) return name
  const words = name.replace(/^is_|_at$/g, '').split('_')
  const text = words.map(word => (acronyms.has(word) ? word.toUpperCase().replace(/S$/, 's') : word)).join(' ')
  return text.charAt(0).toUpperCase() + text.slice(1)
}
