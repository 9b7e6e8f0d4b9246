/** Collects garbage during long lists: Node 22 and later let 50 MB more gather, half of it what arrived (docs/speed.md). */
import { getHeapStatistics } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** In bytes of the heap and of buffers: at which garbage is collected first, and how much of it may gather later. */
const least = 28 * 1024 * 1024
const more = 10 * 1024 * 1024

/** The returned function may be called often. It does nothing where `bin/flags.js` asks V8 for no collector. */
export function createCollector(): () => void {
  let collect: (() => void) | undefined
  let limit: number | undefined = least
  return () => {
    const held = heldBytes()
    // V8 gives buffers back some time after it has collected them.
    limit ??= Math.max(least, held + more)
    if (held < limit) return
    // V8 gives it to new contexts only.
    collect ??= runInNewContext('globalThis.gc') as typeof collect
    collect?.()
    limit = collect ? undefined : Number.POSITIVE_INFINITY
  }
}

function heldBytes(): number {
  const { used_heap_size, external_memory } = getHeapStatistics()
  return used_heap_size + external_memory
}
