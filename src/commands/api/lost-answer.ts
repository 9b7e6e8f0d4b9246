/** Handles a DELETE whose answer was lost and whose second attempt got a 404. */
import type { Client } from '../../api/client.ts'
import type { Endpoint } from '../../api/endpoints.ts'
import { NotFoundError } from '../../errors.ts'
import { checkProjects, checkService } from '../../operations/run/check-service.ts'

interface SentRequest {
  readonly method: string
  readonly row: Endpoint | undefined
  /** Relative to the base URL. */
  readonly path: string
}

/** Throws the error unless it is a 404 to a DELETE after a lost answer; then throws if its list is not available. */
export async function checkInferred(client: Client, { method, row, path }: SentRequest, error: unknown): Promise<void> {
  const isMissing = error instanceof NotFoundError && error.facts.fromService
  if (method !== 'DELETE' || !isMissing || !error.facts.unanswered) throw error
  const list = listBeside(path, row)
  const check = list.endsWith('/projects/') ? checkProjects : checkService
  await check(client, client.raw('GET', list, [['limit', '1']], undefined))
}

function listBeside(path: string, row: Endpoint | undefined): string {
  if (row) return path.replace(/[^/]+\/$/, '')
  const [prefix, kind] = /^\/?api\/(projects|organizations)\/[^/]+\//.exec(path) ?? []
  if (prefix === undefined) return '/api/projects/'
  return `${prefix}${kind === 'projects' ? 'persons' : 'plugins'}/`
}
