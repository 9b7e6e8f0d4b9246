import type { Host } from '../../host.ts'

export function widthForBars({ stdout, env }: Pick<Host, 'stdout' | 'env'>): number | undefined {
  const { isTerminal, columns } = stdout
  if (!isTerminal || env.TERM === 'dumb') return undefined
  return columns !== undefined && columns >= 40 ? columns : undefined
}

/** A bar has at least one cell, and is full only for the total. */
export function barOf(count: number, total: number, width: number): string {
  const share = Math.floor((width * count) / Math.max(1, total))
  return '█'.repeat(Math.max(1, share))
}
