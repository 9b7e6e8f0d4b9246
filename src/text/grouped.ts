export function grouped(count: number | string): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ',')
}

export function countOf(count: number, one: string, many: string): string {
  return `${grouped(count)} ${count === 1 ? one : many}`
}
