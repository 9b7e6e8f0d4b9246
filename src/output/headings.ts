/** Makes column headings: `created_at` → `Created`, `properties.email` → `Email`. */

const words: Readonly<Record<string, string>> = {
  api: 'API',
  ca: 'CA',
  http: 'HTTP',
  id: 'ID',
  ids: 'IDs',
  ip: 'IP',
  ips: 'IPs',
  url: 'URL',
  urls: 'URLs',
  uuid: 'UUID',
}

/** Equal headings show the path of their field. `areMembers`: of one record, none is a path. */
export function headingsOf(paths: readonly string[], areMembers = false): string[] {
  const headings = paths.map(areMembers ? headingOfMember : headingOf)
  const counts = new Map<string, number>()
  for (const heading of headings) counts.set(heading, (counts.get(heading) ?? 0) + 1)
  return headings.map((heading, i) => (counts.get(heading) === 1 ? heading : (paths[i] ?? '')))
}

/** A dot in the name of a member leads nowhere: `plugin.json` is a file. */
function headingOfMember(name: string): string {
  return name.includes('.') ? name : headingOf(name)
}

function headingOf(path: string): string {
  const name = path.slice(path.lastIndexOf('.') + 1)
  if (!/^[a-z]+(_[a-z]+)*$/.test(name)) return path
  const text = name
    .replace(/^is_|_at$/g, '')
    .split('_')
    .map(word => (Object.hasOwn(words, word) ? words[word] : word))
    .join(' ')
  return text.charAt(0).toUpperCase() + text.slice(1)
}
