/** For the name of a file or folder that no other process uses. */
export function randomSuffix(): string {
  return Math.random().toString(36).slice(2, 10)
}
