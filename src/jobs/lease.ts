/** One process at a time works on a job. It renews a lease in the journal, which other machines read. */

import type { Processes } from '../host.ts'
import { ageOf } from '../locks/age.ts'
import { type Holder, hasEnded } from '../locks/holder.ts'
import { type Beginning, type Ends, generationPath, newestGeneration, readEnds } from './journal/generation.ts'

export const renewalPeriod = 5000

/** Milliseconds after its last renewal, when a holder starts no more targets. */
export const restPeriod = 20_000

/** Milliseconds after the last renewal, when another process may take over. */
export const leasePeriod = 30_000

interface Lease {
  /** Newest generation; 0 without one. */
  readonly generation: number
  /** Undefined if no process works on the job, or its lease ended. */
  readonly holder: Holder | undefined
}

export function holderOf(folder: string, processes: Pick<Processes, 'isRunning'>): Holder | undefined {
  return leaseOf(folder, processes).holder
}

export function leaseOf(folder: string, processes: Pick<Processes, 'isRunning'>): Lease {
  const generation = tryNewest(folder)
  return { generation, holder: generation === 0 ? undefined : holderOfGeneration(folder, generation, processes) }
}

function holderOfGeneration(
  folder: string,
  generation: number,
  processes: Pick<Processes, 'isRunning'>,
): Holder | undefined {
  const path = generationPath(folder, generation)
  const { first, last } = tryReadEnds(path)
  if (last.startsWith('["closed",')) return undefined
  const holder = holderIn(first)
  if (!holder) return undefined
  const ended = hasEnded(holder, processes)
  return (ended ?? ageOf(path) > leasePeriod) ? undefined : holder
}

const unknown: Holder = { boot: 'unknown', host: 'another machine', pid: 0, began: '' }

function tryNewest(folder: string): number {
  try {
    return newestGeneration(folder)
  } catch {
    return 0
  }
}

/** An unreadable file counts as no lease; opening the job reports it. */
function tryReadEnds(path: string): Pick<Ends, 'first' | 'last'> {
  try {
    return readEnds(path)
  } catch {
    return { first: '[]', last: '' }
  }
}

/** Without a first line, the file is being written, or a crash cut it off. */
function holderIn(line: string): Holder | undefined {
  if (line === '') return unknown
  try {
    const [, , holder] = JSON.parse(line) as Partial<Beginning>
    return holder && { ...unknown, ...holder }
  } catch {
    return undefined
  }
}
