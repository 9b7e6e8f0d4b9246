/** Reads one page of a list while it arrives; the address of the next page is often known before all rows. */
import type { Request, Response } from '../http/message.ts'
import type { Item } from '../json/item.ts'
import { Slicer } from '../json/slice.ts'
import { malformedAnswer, unexpectedAnswer } from './answers/answer.ts'
import { isErrorPage } from './answers/error-answer.ts'
import type { Client } from './client.ts'

export interface Page {
  readonly url: URL
  readonly rows: Promise<Rows>
  readonly next: Promise<Item | undefined>
}

export interface Rows {
  readonly batches: Iterable<readonly Item[]> | AsyncIterable<readonly Item[]>
  readonly length: number | undefined
  readonly isBareArray: boolean
  members(): ReadonlyMap<string, Item>
}

interface Opening {
  /** The answer, if the request was already sent. */
  readonly answered: Response['body'] | undefined
  readonly hintOnNoList: string | undefined
}

export function open(client: Client, request: Request, opening: Opening): Page {
  let tellNext: (next: Item | undefined) => void = () => undefined
  const told = new Promise<Item | undefined>(resolve => {
    tellNext = resolve
  })
  const rows = receive(client, request, opening, tellNext)
  const next = Promise.race([told, rows.then(() => told)])
  // Nobody awaits this promise if reading stops early.
  next.catch(() => undefined)
  return { url: request.url, rows, next }
}

/** Bytes; pages up to this size have a known number of rows. */
const slicedFirst = 8 * 1024 * 1024

async function receive(
  client: Client,
  request: Request,
  { answered, hintOnNoList }: Opening,
  onNext: (next: Item | undefined) => void,
): Promise<Rows> {
  const { status, body } = answered
    ? { status: undefined, body: answered }
    : await client.send({ ...request, isPage: true })
  const chunks = body[Symbol.asyncIterator]()
  const slicer = new Slicer()
  const learn = client.learner(request)
  const ready: Item[] = []
  let members: ReadonlyMap<string, Item> = new Map()
  let count = 0
  let isTold = false
  let ended = false

  const step = async (): Promise<Item[]> => {
    const { done, value } = await chunks.next()
    if (!done) {
      const items = slicer.push(value)
      count += items.length
      learn?.(items)
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
    if (!envelope.found) throw unexpectedAnswer(request, 'no list', { status, hint: hintOnNoList })
    if (isErrorPage(envelope.members, count)) throw unexpectedAnswer(request, 'an error instead of a page', { status })
    members = envelope.members
    onNext(members.get('next'))
    return []
  }
  const checkedStep = () => step().catch((error: unknown) => Promise.reject(malformedAnswer(request, error, status)))

  for (let bytes = 0; !ended && bytes < slicedFirst; ) {
    const batch = await checkedStep()
    for (const item of batch) {
      ready.push(item)
      bytes += item.length + 100
    }
  }
  const { isBareArray } = slicer
  // One batch: the output must not depend on how the network split the page.
  if (ended) return { batches: [ready], length: ready.length, isBareArray, members: () => members }

  async function* streaming() {
    try {
      yield ready
      while (!ended) yield await checkedStep()
    } finally {
      await chunks.return?.()
    }
  }
  return { batches: streaming(), length: undefined, isBareArray, members: () => members }
}

/** Lets the next request be sent before this page is processed: the event loop and undici need one turn each. */
async function leave(): Promise<void> {
  for (let turn = 0; turn < 2; turn++) await new Promise(resolve => setImmediate(resolve))
}
