import type { Connection, Context } from '../../context.ts'
import { UsageError } from '../../errors.ts'

/** Throws `UsageError` for a text with a secret, since jobs, plans and receipts are passed on. Sends no request. */
export async function refuseSecrets(
  { secrets }: Context,
  connection: Connection,
  { reason, requestedBy }: Partial<Record<'reason' | 'requestedBy', string | null | undefined>>,
): Promise<void> {
  for (const [option, text] of Object.entries({ '--reason': reason, '--requested-by': requestedBy })) {
    if (!text || (secrets.hide(text) === text && !(await connection.holdsKey(text)))) continue
    throw new UsageError(`${option} holds the key in use or another secret; receipts and jobs would store it`, {
      hint: 'Give another text',
    })
  }
}
