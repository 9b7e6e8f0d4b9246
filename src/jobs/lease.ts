/** One process at a time works on a job. It renews a lease in the journal, which other machines read. */
import type { Processes } from '../host.ts'
import { type Holder, isHeld } from '../locks/holder.ts'
import { type Beginning, generationPath, newestGeneration, readEnds } from './journal/generation.ts'

interface Lease {
  /** Newest generation; 0 without one. */
  readonly generation: number
  /** Undefined if no process works on the job, or its lease ended. */
  readonly holder: Holder | undefined
}

export function leaseOf(folder: string, processes: Pick<Processes, 'isRunning'>): Lease {
  const generation = tryNewest(folder)
  const path = generationPath(folder, generation)
  const holder = generation === 0 ? undefined : holderIn(path)
  return { generation, holder: holder && isHeld(path, holder, processes) ? holder : undefined }
}

function tryNewest(folder: string): number {
  try {
    return newestGeneration(folder)
  } catch {
    return 0
  }
}

const unknown: Holder = { boot: 'unknown', host: 'another machine', pid: 0, began: '' }

/** A file that is closed or unreadable has none; opening the job reports the latter. */
function holderIn(path: string): Holder | undefined {
  try {
    const { first, last } = readEnds(path)
    if (last.startsWith('["closed",')) return undefined
    // Without a first line, the file is being written, or a crash cut it off.
    if (first === '') return unknown
    const [, , holder] = JSON.parse(first) as Partial<Beginning>
    return holder && { ...unknown, ...holder }
  } catch {
    return undefined
  }
}
