/** One page of a list: sliced while it arrives, and its `next` told as soon as that has come. */
import type { Request, Response } from '../http/message.ts'
import { type Item, Slicer } from '../json/slice.ts'
import { malformedAnswer, unexpectedAnswer } from './answer.ts'
import type { Client } from './client.ts'

/** A page that was asked for. */
export interface Page {
  readonly rows: Promise<Rows>
  /** Where the page after it is, known as soon as it has come: often before the rows. */
  readonly next: Promise<Item | undefined>
}

export interface Rows {
  readonly batches: Iterable<readonly Item[]> | AsyncIterable<readonly Item[]>
  /** How many there are, where that is known before they are read. */
  readonly length: number | undefined
  /** The members around them, complete once the batches have been read. */
  members(): ReadonlyMap<string, Item>
}

/** Asks for a page. `answered`: the body of its answer, where that has come already. */
export function open(client: Client, request: Request, answered?: Response['body']): Page {
  let rows: Promise<Rows> | undefined
  const next = new Promise<Item | undefined>((resolve, reject) => {
    rows = receive(client, request, answered, resolve)
    rows.catch(reject)
  })
  // Nobody awaits it where reading ends before.
  next.catch(() => undefined)
  return { rows: rows as Promise<Rows>, next }
}

/** A page of up to so many bytes is sliced before its rows are given away: then their number is known as well. */
const held = 8 * 1024 * 1024

/** `onNext` is told once what `next` is, as soon as that has come. */
async function receive(
  client: Client,
  request: Request,
  answered: Response['body'] | undefined,
  onNext: (next: Item | undefined) => void,
): Promise<Rows> {
  const body = answered ?? (await client.send(request)).body
  const chunks = body[Symbol.asyncIterator]()
  const slicer = new Slicer()
  const ready: Item[] = []
  let members: ReadonlyMap<string, Item> = new Map()
  let isTold = false
  let ended = false

  const step = async (): Promise<Item[]> => {
    const { done, value } = await chunks.next()
    if (!done) {
      const items = slicer.push(value)
      const next = isTold ? undefined : slicer.member('next')
      if (next) {
        isTold = true
        onNext(next)
        await leave()
      }
      return items
    }
    ended = true
    const envelope = slicer.end()
    if (!envelope.found) throw unexpectedAnswer(request, 'no list')
    members = envelope.members
    onNext(members.get('next'))
    return []
  }
  const careful = () => step().catch((error: unknown) => Promise.reject(malformedAnswer(request, error)))

  for (let bytes = 0; !ended && bytes < held; ) {
    const batch = await careful()
    for (const item of batch) {
      ready.push(item)
      // The smallest take so much of the memory.
      bytes += item.length + 100
    }
  }
  // One batch: what a renderer makes of a page must not depend on how the network cut it.
  if (ended) return { batches: [ready], length: ready.length, members: () => members }

  async function* streaming() {
    try {
      yield ready
      while (!ended) yield await careful()
    } finally {
      await chunks.return?.()
    }
  }
  return { batches: streaming(), length: undefined, members: () => members }
}

/**
 * Lets a request that was just made leave, so that the service is at work while the page before it is. It takes two turns
 * of the event loop: one to come down to the connection, and one that undici gives a connection before it is used again.
 */
async function leave(): Promise<void> {
  for (let turn = 0; turn < 2; turn++) await new Promise(resolve => setImmediate(resolve))
}
