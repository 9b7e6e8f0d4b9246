/** `--server-format`: the documented `format` parameter. What comes back is the server's to answer for, so it passes untouched. */
import type { Client } from '../../api/client.ts'
import type { Result } from '../../cli/command.ts'
import type { Request } from '../../http/message.ts'
import { oneOf } from '../../values/kinds.ts'

export const serverFormat = oneOf('csv', 'json')

export async function untouched(client: Client, request: Request): Promise<Result> {
  return { bytes: (await client.send(request)).body }
}
