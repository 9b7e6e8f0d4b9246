/** Draws counts as bars at a terminal. */
import type { Host } from '../../host.ts'

/** Undefined where no bars are drawn: not at a terminal, or too narrow. */
export function widthForBars(
  { stdout, env }: Pick<Host, 'stdout' | 'env'>,
  outputFile: string | undefined,
): number | undefined {
  const { isTerminal, columns } = stdout
  if (!isTerminal || outputFile !== undefined || env.TERM === 'dumb') return undefined
  return columns !== undefined && columns >= 40 ? columns : undefined
}

/** A bar of at least one cell, and a full bar only for the total. */
export function barOf(count: number, total: number, width: number): string {
  const share = Math.floor((width * count) / Math.max(1, total))
  return '█'.repeat(Math.max(1, share))
}
