/** Paths such as `properties.plan`: all after the first dot is the name of one property, dots included. */
const prefix = 'properties.'

export function propertyPath(name: string): string {
  return `${prefix}${name}`
}

export function isPropertyPath(path: string): boolean {
  return path.startsWith(prefix)
}

export function nameOfProperty(path: string): string {
  return path.slice(prefix.length)
}

/** As somebody types it: a property without `properties.`. */
export function nameOfField(path: string): string {
  return isPropertyPath(path) ? nameOfProperty(path) : path
}
