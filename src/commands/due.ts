/** When queued events go, in words: a date that an answer does not carry. */
import type { Host } from '../host.ts'
import { nextBatch } from '../values/sunday.ts'

export function due({ clock }: Host): string {
  const time = new Date(nextBatch(clock.now()))
  const local = time.toLocaleString('sv-SE', { timeZoneName: 'short' })
  return `The events are due to go on Sunday ${time.toISOString().slice(0, 16).replace('T', ' ')} UTC (${local}), unless the operator changed the schedule`
}
