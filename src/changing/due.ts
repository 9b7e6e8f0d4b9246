/** When queued events go, in words: a date that an answer does not carry. */
import type { Host } from '../host.ts'
import { nextBatch } from '../values/sunday.ts'

export function due({ clock }: Host): string {
  const time = new Date(nextBatch(clock.now()))
  const utc = time.toISOString().slice(0, 16).replace('T', ' ')
  return `The events are due to go on Sunday ${utc} UTC (${local(time)} here), unless the operator changed the schedule`
}

function local(time: Date): string {
  const two = (number: number) => String(number).padStart(2, '0')
  const day = [time.getFullYear(), two(time.getMonth() + 1), two(time.getDate())].join('-')
  return `${day} ${two(time.getHours())}:${two(time.getMinutes())}`
}
