import type { Context } from '../../../cli/command.ts'
import { cut } from '../../../text/cells.ts'
import { escapeControls } from '../../../text/escape-controls.ts'
import { grouped } from '../../../text/grouped.ts'
import type { Offer } from './offer.ts'

/** As many as fit a screen together with the question. */
const most = 15

/** Says that the key is accepted, and lists the projects where one is `wanted`. */
export function showOffer(offer: Offer | undefined, wanted: boolean, { host, messages, secrets }: Context): void {
  if (!offer) {
    const how = wanted ? 'so it is checked with the one that you name' : 'and the profile names none to check it with'
    messages.say(`The key may not list projects, ${how}`)
    return
  }
  const { names, total, more } = offer
  if (!wanted || names.size === 0) {
    messages.notice('The key is accepted')
    return
  }
  const count = total ?? names.size
  messages.say(`The key is accepted, for ${total === undefined && more ? 'more than ' : ''}${projects(count)}:`)
  const rows = [...names].slice(0, most)
  const widest = Math.max(...rows.map(([id]) => id.length))
  const room = Math.max(20, (host.stderr.columns ?? 80) - widest - 4)
  for (const [id, name] of rows)
    messages.say(`  ${id.padStart(widest)}  ${cut(escapeControls(secrets.hide(name)) || '(no name)', room)}`)
  if (count > rows.length) messages.say(`  … and ${grouped(count - rows.length)} more, which can be typed as well`)
}

function projects(count: number): string {
  return count === 1 ? 'one project' : `${grouped(count)} projects`
}
