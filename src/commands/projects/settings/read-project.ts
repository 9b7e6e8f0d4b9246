import { idOf } from '../../../api/answers/record-identity.ts'
import type { Client } from '../../../api/client.ts'
import { projects } from '../../../api/endpoints.ts'
import type { Item } from '../../../json/item.ts'

export const projectsAtOnce = 4

export function readProject(client: Client, id: string): Promise<Item> {
  return client.record(projects.get, { path: { id } })
}

/** `@current` may be another project later. Throws `RejectedError` if the answer has no id. */
export function ownId(named: string, project: Item): string {
  return named === '@current' ? idOf(project, 'projects') : named
}
