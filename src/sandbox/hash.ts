export function uuidOf(name: string): string {
  const digits = [1, 2, 3, 4].map(salt => hash(`${salt}:${name}`).toString(16).padStart(8, '0')).join('')
  return digits.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.*)$/, '$1-$2-4$3-8$4-$5')
}

/** FNV-1a with a final mix, 32 bits. */
export function hash(text: string): number {
  let sum = 0x811c9dc5
  for (let i = 0; i < text.length; i++) sum = Math.imul(sum ^ text.charCodeAt(i), 0x01000193)
  sum = Math.imul(sum ^ (sum >>> 16), 0x85ebca6b)
  sum = Math.imul(sum ^ (sum >>> 13), 0xc2b2ae35)
  return (sum ^ (sum >>> 16)) >>> 0
}
