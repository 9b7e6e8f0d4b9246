/** Changes for the summary of a job, as GitHub, GitLab and others show Markdown. */
import type { Change } from './diff.ts'
import { draw } from './draw.ts'

/** A heading and the changes below it. No text of the service can end the block that it stands in. */
export function markdown(heading: string, changes: readonly Change[], remarks: readonly string[] = []): string {
  const drawn = draw(changes, false)
  const longest = Math.max(2, ...[...drawn.matchAll(/`+/g)].map(([ticks]) => ticks.length))
  const fence = '`'.repeat(longest + 1)
  const block = drawn === '' ? [] : [`${fence}diff\n${drawn}${fence}`]
  return `${[`### ${escaped(heading)}`, ...block, ...remarks.map(escaped)].join('\n\n')}\n`
}

function escaped(text: string): string {
  return text.replace(/[\\`*_[\]<>#|~]/g, '\\$&')
}
