/** Shows what is about to be changed: to whoever is asked, and in a dry run. */
import type { Context } from '../cli/command.ts'
import { asks } from '../cli/confirm.ts'
import { NotFoundError } from '../errors.ts'
import type { Request } from '../http/message.ts'
import { compile, textOf } from '../json/pick.ts'
import type { View } from '../output/document.ts'

/** Fetches the object and says its main fields on stderr; one that is not there is said to be so. */
export async function preview(context: Context, request: Request, view: View): Promise<void> {
  const { values, messages } = context
  if (!asks(values) && !values.dryRun) return
  const { client } = await context.connect()
  try {
    const item = await client.one(request)
    if (!item) return
    const found = compile(view.columns).pick(item)
    const shown = view.columns.flatMap((name, i) => (found[i] ? [`${name} ${textOf(found[i])}`] : []))
    messages.say(`  ${shown.join(', ')}`)
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error
    messages.say(`  ${decodeURIComponent(request.url.pathname.split('/').at(-2) ?? '')}: not found`)
  }
}
