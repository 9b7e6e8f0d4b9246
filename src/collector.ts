/** Node 22 and later let 50 MB more garbage gather during long lists, half of it received bytes (docs/speed.md). */
import { getHeapStatistics } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** Bytes of heap and buffers: `least` starts the first collection; `more` may be added before the next one. */
const least = 28 * 1024 * 1024
const more = 10 * 1024 * 1024

/** A collection takes as long as there is much to keep, so a large heap may grow by this part of it. */
const share = 1 / 4

/** The returned function may be called often. It does nothing on Node 20, where `bin/flags.js` does not expose `gc`. */
export function createCollector(): () => void {
  let collect: (() => void) | undefined
  let limit: number | undefined = least
  return () => {
    const held = heldBytes()
    // V8 frees buffers some time after a collection.
    limit ??= Math.max(least, held + Math.max(more, held * share))
    if (held < limit) return
    // V8 defines `gc` only in contexts that are created after its flag is set.
    collect ??= runInNewContext('globalThis.gc') as typeof collect
    collect?.()
    limit = collect ? undefined : Number.POSITIVE_INFINITY
  }
}

function heldBytes(): number {
  const { used_heap_size, external_memory } = getHeapStatistics()
  return used_heap_size + external_memory
}
