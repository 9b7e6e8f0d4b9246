import { UsageError } from '../errors.ts'

export function refuseBeside(reason: string, options: Readonly<Record<string, unknown>>, hint: string): void {
  const [name] = Object.entries(options).find(([, value]) => value) ?? []
  if (name !== undefined) throw new UsageError(`${reason}, and cannot be combined with --${name}`, { hint })
}
