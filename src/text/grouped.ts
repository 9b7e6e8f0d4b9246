export function grouped(count: number | string): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ',')
}

/** `1 target`, `12,000 targets` */
export function countOf(count: number, one: string, many: string): string {
  return `${grouped(count)} ${count === 1 ? one : many}`
}
