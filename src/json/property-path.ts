/** In `properties.plan`, everything after the first dot is one property name, including dots. */
const prefix = 'properties.'

export function propertyPath(name: string): string {
  return `${prefix}${name}`
}

export function isPropertyPath(path: string): boolean {
  return path.startsWith(prefix)
}

/** Users type a property without `properties.`. */
export function nameOfField(path: string): string {
  return isPropertyPath(path) ? path.slice(prefix.length) : path
}
