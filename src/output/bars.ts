/** Counts as bars beside them, where somebody sees them drawn. */
import type { Host } from '../host.ts'

/** The width to draw bars within; undefined where there are none: elsewhere than at a terminal of some width. */
export function widthForBars(
  { stdout, env }: Pick<Host, 'stdout' | 'env'>,
  outputFile: string | undefined,
): number | undefined {
  const { isTerminal, columns } = stdout
  if (!isTerminal || outputFile !== undefined || env.TERM === 'dumb') return undefined
  return columns !== undefined && columns >= 40 ? columns : undefined
}

/** The share of a count in the total, of `width` cells: at least one, and all of them for all only. */
export function barOf(count: number, total: number, width: number): string {
  const share = Math.floor((width * count) / Math.max(1, total))
  return '█'.repeat(Math.max(1, share))
}
