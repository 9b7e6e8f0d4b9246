/** Shows progress below all output at a terminal, else as a line every 10 seconds. */
import type { Host } from '../host.ts'
import { countOf } from '../text/grouped.ts'

export type StatusLine = ReturnType<typeof createStatusLine>

interface FollowedRun {
  readonly describe: () => string
  readonly fraction: () => number
}

const reportPeriodMs = 10_000

export function createStatusLine({ stderr, clock, setStatusLine }: Host, quiet: boolean) {
  const startedAt = clock.elapsed()
  let rows = 0
  let run: FollowedRun | undefined
  const line = () => {
    if (run) return `${barOf(run.fraction(), stderr.columns ?? 80)} ${run.describe()}`
    const activity = rows === 0 ? 'Waiting for the server' : countOf(rows, 'row')
    return `${activity}, ${Math.floor((clock.elapsed() - startedAt) / 1000)} s`
  }
  const show = quiet ? undefined : setStatusLine
  return {
    wait(): void {
      show?.(line)
    },
    count(more: number): void {
      rows += more
    },
    /** Shows the progress of a run, until the returned function is called. */
    follow(next: FollowedRun): () => void {
      run = next
      const printsLines = !quiet && !setStatusLine
      const timer = printsLines
        ? setInterval(() => void stderr.write(`${next.describe()}\n`), reportPeriodMs)
        : undefined
      return () => {
        run = undefined
        clearInterval(timer)
      }
    },
    end(): void {
      show?.(undefined)
    },
  }
}

function barOf(fraction: number, columns: number): string {
  const width = Math.min(20, Math.floor(columns / 6))
  const full = Math.round(width * Math.max(0, Math.min(1, fraction)))
  return '━'.repeat(full) + '┄'.repeat(width - full)
}
