export function grouped(count: number | string): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ',')
}
