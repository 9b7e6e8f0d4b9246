const day = 86_400_000

/**
 * When the weekly batch that deletes events runs next, in milliseconds since 1970: the first Sunday 05:00 UTC after
 * `now` (the service's document, "States and transitions"; operators may change the schedule).
 */
export function nextBatch(now: number): number {
  const midnight = Math.floor(now / day) * day
  const sunday = midnight + ((7 - new Date(now).getUTCDay()) % 7) * day + 5 * 3_600_000
  return sunday > now ? sunday : sunday + 7 * day
}
