/**
 * Screens that are kept: `test/screens/<name>.txt` holds what a person sees, each screen below its title and between
 * two rules as wide as the window. `UPDATE=1 npx vitest run test/screens` writes what is seen now; read the difference
 * before you commit it.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect } from 'vitest'

/** Compares a screen with the one that is kept below that title. */
export type Look = (title: string, screen: string, columns: number) => void

export function gallery(name: string): Look {
  const path = join(import.meta.dirname, `${name}.txt`)
  const seen = new Map<string, string>()
  if (process.env.UPDATE) {
    afterAll(() => writeFileSync(path, [...seen].map(([title, screen]) => `# ${title}\n${screen}`).join('\n')))
  }
  return (title, screen, columns) => {
    const rule = '─'.repeat(columns)
    const framed = `${rule}\n${masked(screen)}\n${rule}\n`
    if (seen.has(title)) throw new Error(`Two screens have the title ${title}`)
    seen.set(title, framed)
    if (!process.env.UPDATE) expect(framed).toBe(kept(path, title))
  }
}

function kept(path: string, title: string): string {
  const text = `\n${readFileSync(path, 'utf8')}`
  const from = text.indexOf(`\n# ${title}\n`)
  if (from < 0) return ''
  const [screen = ''] = text.slice(from + title.length + 4).split('\n\n# ')
  return screen.endsWith('\n') ? screen : `${screen}\n`
}

/** Text that depends on the hour, the speed or the machine; its mask is as wide where the width is fixed. */
const masks: readonly (readonly [RegExp, string])[] = [
  // The progress line: its spinner, and all after its counts, since their width decides where it is cut.
  [/^[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏] (.*?\d of [\d,]*\d(?:, [\d,]+ failed)?)(?:[, ].*|…)?$/gm, '⠿ $1, …'],
  // Only a run of a second or more prints how long it took.
  [/\s\(\d+ s\)/g, ''],
  [/\d+ s, until \d\d:\d\d:\d\dZ/g, '… s, until hh:mm:ssZ'],
  [/127\.0\.0\.1(\n?):(\n?)\d{5}/g, '127.0.0.1$1:$2#####'],
  [/\b\d{8}-\d{6}-[0-9a-z]+\b/g, 'JOB'],
]

function masked(screen: string): string {
  return masks.reduce((text, [pattern, mask]) => text.replace(pattern, mask), screen)
}
