/** Computes when queued events are deleted, since answers do not contain this date. */
import { nextBatch } from '../../values/weekly-batch.ts'

/** `now`: service time in milliseconds. */
export function describeSchedule(now: number): string {
  const time = new Date(nextBatch(now))
  const utc = time.toISOString().slice(0, 16).replace('T', ' ')
  return `The events are due to be deleted on Sunday ${utc} UTC (${local(time)} here), unless the operator changed the schedule`
}

function local(time: Date): string {
  const two = (number: number) => String(number).padStart(2, '0')
  const day = [time.getFullYear(), two(time.getMonth() + 1), two(time.getDate())].join('-')
  return `${day} ${two(time.getHours())}:${two(time.getMinutes())}`
}
