import { createHash } from 'node:crypto'
import { partsOf } from '../../files/regular-file.ts'
import { JobState } from '../job-state.ts'
import type { Counts, JournalEntry } from './entry.ts'
import { type Beginning, generationPath, newestGeneration, type Predecessor, readEnds, seedOf } from './generation.ts'
import { decodeLine } from './journal-line.ts'

export class AlteredError extends Error {}

export interface JournalContent {
  readonly state: JobState
  /** Number of the newest generation; its length and digest. */
  readonly generation: number
  readonly end: Predecessor
}

/** Throws `AlteredError` if it was changed; an incomplete end and blocks of NUL come from a power loss. */
export function readJournal(
  folder: string,
  total: number,
  jobDigest: string,
  onEntry: (entry: JournalEntry) => void = () => undefined,
): JournalContent {
  const newest = newestGeneration(folder)
  const state = new JobState(total)
  let end: Predecessor = { bytes: 0, sha256: '' }
  if (newest === 0) throw new AlteredError('The journal is missing')
  for (let generation = 1; generation <= newest; generation++) {
    const counted = generation < newest ? predecessorIn(folder, generation + 1, jobDigest) : undefined
    end = readGeneration(folder, generation, jobDigest, state, counted, onEntry)
  }
  return { state, generation: newest, end }
}

function readGeneration(
  folder: string,
  generation: number,
  jobDigest: string,
  state: JobState,
  counted: Predecessor | undefined,
  onEntry: (entry: JournalEntry) => void,
): Predecessor {
  const seed = seedOf(jobDigest, generation)
  let begun = false
  const extent = readLines(generationPath(folder, generation), counted?.bytes, line => {
    const entry = entryIn(line, seed)
    if (!entry) return
    if ((entry[0] === 'generation') === begun) throw new AlteredError('A generation begins twice, or not at all')
    if (entry[0] === 'generation') {
      begun = true
      return
    }
    state.apply(entry)
    onEntry(entry)
  })
  if (counted && (extent.bytes !== counted.bytes || extent.sha256 !== counted.sha256)) {
    throw new AlteredError('A generation differs from its record in the next one')
  }
  state.endGeneration(extent.isWhole)
  return { bytes: extent.bytes, sha256: extent.sha256 }
}

/** Undefined for the rest of a line after a block of NUL. */
function entryIn({ text, offset, isFragment }: Line, seed: number): JournalEntry | Beginning | undefined {
  try {
    return decodeLine(text, seed, offset) as JournalEntry | Beginning
  } catch (cause) {
    if (isFragment) return undefined
    throw new AlteredError('A line of the journal was changed', { cause })
  }
}

/** Undefined if the process was killed before it wrote the first line. */
function predecessorIn(folder: string, generation: number, jobDigest: string): Predecessor | undefined {
  const { first } = readEnds(generationPath(folder, generation))
  const entry = entryIn({ text: first, offset: 0, isFragment: true }, seedOf(jobDigest, generation))
  return entry?.[0] === 'generation' ? (entry[3] ?? undefined) : undefined
}

interface Line {
  readonly text: string
  readonly offset: number
  readonly isFragment: boolean
}

/** `isWhole`: without blocks of NUL and with a complete end. */
interface Extent extends Predecessor {
  readonly isWhole: boolean
}

/** Calls `onLine` for each complete line of the first `most` bytes; after a NUL, for the rest of the line. */
function readLines(path: string, most: number | undefined, onLine: (line: Line) => void): Extent {
  const hash = createHash('sha256')
  let isWhole = true
  let isCut = false
  let rest = ''
  let offset = 0
  let bytes = 0
  for (const part of partsOf(path, most)) {
    bytes += part.length
    hash.update(part)
    const lines = (rest + part.toString('latin1')).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) {
      const start = line.lastIndexOf('\0') + 1
      isWhole &&= start === 0
      const isFragment = isCut || start > 0
      if (start < line.length) onLine({ text: line.slice(start), offset: offset + start, isFragment })
      offset += line.length + 1
      isCut = false
    }
    // Blocks of NUL may not fit into memory.
    const hole = rest.lastIndexOf('\0') + 1
    if (hole === 0) continue
    isWhole = false
    isCut = true
    offset += hole
    rest = rest.slice(hole)
  }
  return { bytes, sha256: hash.digest('hex'), isWhole: isWhole && rest === '' }
}

export function digestOf(path: string, most: number): string {
  return readLines(path, most, () => undefined).sha256
}

/** A closed journal has its counts at the end; reading a million lines would take seconds. */
export function readCounts(folder: string, total: number, jobDigest: string): Counts {
  const newest = newestGeneration(folder)
  if (newest === 0) throw new AlteredError('The journal is missing')
  const path = generationPath(folder, newest)
  const { last, offset } = readEnds(path)
  const entry = entryIn({ text: last, offset, isFragment: true }, seedOf(jobDigest, newest))
  if (entry?.[0] === 'closed' && !hasHole(path)) return entry[1]
  return readJournal(folder, total, jobDigest).state.counts
}

/** After a power loss, the end of a file may exist although its middle is lost. */
function hasHole(path: string): boolean {
  for (const part of partsOf(path)) if (part.includes(0)) return true
  return false
}
