/** The name of a setting in data: `baseUrl` is `base_url`. */
export function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)
}
