const day = 86_400_000

/** Milliseconds of the next Sunday 05:00 UTC (the service's document, "States and transitions"). */
export function nextBatch(now: number): number {
  const midnight = Math.floor(now / day) * day
  const sunday = midnight + ((7 - new Date(now).getUTCDay()) % 7) * day + 5 * 3_600_000
  return sunday > now ? sunday : sunday + 7 * day
}
