/** After a second, shows at a terminal that a request is waiting. */
import type { Host } from '../host.ts'
import type { Document } from '../output/document.ts'
import { countOf } from '../text/grouped.ts'

interface Waiting {
  awaiting<T>(answer: Promise<T>): Promise<T>
  counted(document: Document): Document
  end(): void
}

/** Milliseconds before the line appears, and that it stays between requests. */
const patience = 1000
const pause = 300

export function showWaiting(host: Host, quiet: boolean): Waiting {
  const { stderr, clock } = host
  if (quiet || !stderr.statusLine) {
    return { awaiting: answer => answer, counted: document => document, end: () => undefined }
  }
  let began = 0
  let rows = 0
  let open = 0
  let lastAnswer = 0
  let timer: NodeJS.Timeout | undefined
  let stop: (() => void) | undefined
  const line = () => {
    const isIdle = open === 0 && clock.elapsed() - lastAnswer > pause
    if (isIdle) return ''
    const what = rows === 0 ? 'Waiting for the service' : countOf(rows, 'row', 'rows')
    return `${what}, ${Math.floor((clock.elapsed() - began) / 1000)} s`
  }
  const start = async () => {
    const { startSpinner } = await import('./progress.ts')
    if (timer) stop = startSpinner(stderr, 'wait', line)
  }
  const tryToStart = () => void start().catch(() => undefined)
  return {
    async awaiting(answer) {
      if (!timer) began = clock.elapsed()
      timer ??= setTimeout(tryToStart, patience)
      open++
      try {
        return await answer
      } finally {
        open--
        lastAnswer = clock.elapsed()
      }
    },
    counted(document) {
      async function* batches() {
        for await (const batch of document.batches) {
          rows += batch.length
          yield batch
        }
      }
      return document.shape === 'list' ? { ...document, batches: batches() } : document
    },
    end() {
      clearTimeout(timer)
      timer = undefined
      stop?.()
    },
  }
}
