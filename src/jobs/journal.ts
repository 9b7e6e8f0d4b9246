/**
 * The journal of a run: a line before each request and one after it. What was written is in the hands of the system, so
 * a killed process loses none of it; the disk is told to keep it once a second, and at the end. Lines of one turn of
 * the event loop are written at once: one by one they would take as long as the requests.
 */
import {
  closeSync,
  fdatasync,
  fdatasyncSync,
  fstatSync,
  ftruncateSync,
  openSync,
  readFileSync,
  readSync,
  writeSync,
} from 'node:fs'
import { UnavailableError } from '../errors.ts'
import type { Clock } from '../host.ts'
import { type Counts, type Entry, JobState } from './job-state.ts'

export interface Journal {
  readonly state: JobState
  /** Resolves when it is written. Rejects with `UnavailableError` where the disk does not take it: then nothing may be sent. */
  write(entry: Entry): Promise<void>
  /** Written with whatever is written next, at the latest in the next turn. */
  note(entry: Entry): void
  close(): void
}

/** The journal of a run that is not kept: a single target, a dry run. */
export function memoryJournal(state: JobState): Journal {
  const note = (entry: Entry) => state.apply(entry)
  return { state, note, write: async entry => note(entry), close: () => undefined }
}

const syncEvery = 1000

/** Goes on with the journal that `readJournal` read, whose last line may have been torn. */
export function openJournal(path: string, { state, length }: JournalContent, clock: Clock): Journal {
  const file = openSync(path, 'r+')
  ftruncateSync(file, length)
  let at = length
  let waiting = ''
  let group: Promise<void> | undefined
  let syncing = false
  let synced = clock.now()

  /** What the disk did not take is tried again with the next line. */
  function flush(): void {
    if (waiting === '') return
    const lines = Buffer.from(waiting)
    try {
      for (let written = 0; written < lines.length; ) {
        written += writeSync(file, lines, written, lines.length - written, at + written)
      }
    } catch (cause) {
      throw new UnavailableError(`The journal ${path} cannot be written`, { hint: 'Make room on the disk', cause })
    }
    at += lines.length
    waiting = ''
    // Either way: a clock that was set back would be late for long.
    if (!syncing && Math.abs(clock.now() - synced) >= syncEvery) sync()
  }

  function sync(): void {
    synced = clock.now()
    syncing = true
    fdatasync(file, () => {
      syncing = false
    })
  }

  function write(entry: Entry): Promise<void> {
    waiting += `${JSON.stringify(entry)}\n`
    state.apply(entry)
    group ??= turn().then(() => {
      group = undefined
      flush()
    })
    return group
  }

  return {
    state,
    write,
    note: entry => void write(entry).catch(() => undefined),
    close() {
      try {
        flush()
        // It spares readers the rest, no more: where the disk has no room for it, the rest is read.
        if (at > length) tryWrite(file, `${JSON.stringify(['closed', state.counts] satisfies Entry)}\n`, at)
        fdatasyncSync(file)
      } finally {
        closeSync(file)
      }
    },
  }
}

function tryWrite(file: number, line: string, at: number): void {
  try {
    writeSync(file, line, at)
  } catch {}
}

function turn(): Promise<void> {
  return new Promise(resolve => setImmediate(resolve))
}

export interface JournalContent {
  readonly state: JobState
  /** Bytes up to the end of the last whole line. */
  readonly length: number
}

/** The first line as it stands, and what the others make of `total` targets. Throws `SyntaxError` or `RangeError`. */
export function readJournal<H>(
  path: string,
  readHeader: (line: string) => H & { total: number },
): JournalContent & { header: H } {
  const text = readFileSync(path)
  const length = text.lastIndexOf('\n') + 1
  const end = text.indexOf('\n')
  const header = readHeader(text.toString('utf8', 0, Math.max(0, end)))
  const state = new JobState(header.total)
  for (let from = end + 1; from < length; ) {
    const to = text.indexOf('\n', from)
    state.apply(JSON.parse(text.toString('utf8', from, to)) as Entry)
    from = to + 1
  }
  return { header, state, length }
}

/** More than a header and a `closed` take. */
const nearEnd = 4096

/** The header and the counts, without what lies between where the journal was closed: there may be a million lines. */
export function readCounts<H>(path: string, readHeader: (line: string) => H & { total: number }) {
  const file = openSync(path, 'r')
  try {
    const { size } = fstatSync(file)
    const head = readAt(file, 0)
    const tail = readAt(file, Math.max(0, size - nearEnd))
    const last = tail.slice(tail.lastIndexOf('\n', tail.length - 2) + 1)
    if (head.includes('\n') && last.startsWith('["closed",') && last.endsWith('\n')) {
      const [, counts] = JSON.parse(last) as ['closed', Counts]
      return { header: readHeader(head.slice(0, head.indexOf('\n'))), counts }
    }
  } finally {
    closeSync(file)
  }
  const { header, state } = readJournal(path, readHeader)
  return { header, counts: state.counts }
}

function readAt(file: number, position: number): string {
  const bytes = Buffer.alloc(nearEnd)
  return bytes.toString('utf8', 0, readSync(file, bytes, 0, nearEnd, position))
}
