export function grouped(count: number | string): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ',')
}

export function countOf(count: number, one: string, many = `${one}s`): string {
  return `${grouped(count)} ${count === 1 ? one : many}`
}

/** Such as `1, 2, 3 and 7 more`. */
export function firstOf(items: readonly unknown[], max: number): string {
  const more = items.length - max
  return `${items.slice(0, max).join(', ')}${more > 0 ? ` and ${grouped(more)} more` : ''}`
}
