/** Each file records how many bytes of the previous one are valid, so late writes of another process have no effect. */
import { closeSync, constants, fdatasyncSync, fstatSync, openSync, readdirSync, readSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { withRegularFile } from '../../files/regular-file.ts'
import { codeOf } from '../../files/system-error.ts'
import { syncFolder, writeAll } from '../../files/write.ts'
import type { Holder } from '../../locks/holder.ts'
import { encodeLine } from './journal-line.ts'

export type Beginning = readonly ['generation', number, Holder, Predecessor | null]

export interface Predecessor {
  readonly bytes: number
  readonly sha256: string
}

export function generationPath(folder: string, generation: number): string {
  return join(folder, generation === 1 ? 'journal' : `journal.${generation}`)
}

export function newestGeneration(folder: string): number {
  const numbers = readdirSync(folder).map(name => (name === 'journal' ? 1 : Number(/^journal\.(\d+)$/.exec(name)?.[1])))
  return Math.max(0, ...numbers.filter(Number.isFinite))
}

/** Differs for every job and generation, so that a line is not valid in another file. */
export function seedOf(jobDigest: string, generation: number): number {
  return (Number.parseInt(jobDigest.slice(0, 8), 16) + generation) | 0
}

export interface OpenGeneration {
  readonly generation: number
  readonly file: number
  readonly bytes: number
}

/** On disk when it returns. Undefined if another process created it; throws the system's error. */
export function createGeneration(folder: string, beginning: Beginning, seed: number): OpenGeneration | undefined {
  const file = claimGeneration(folder, beginning[1])
  if (file === undefined) return undefined
  try {
    const line = Buffer.from(encodeLine(beginning, seed, 0))
    writeAll(file, line, 0)
    fdatasyncSync(file)
    syncFolder(folder)
    return { generation: beginning[1], file, bytes: line.length }
  } catch (error) {
    closeSync(file)
    removeUnused(folder, beginning[1])
    throw error
  }
}

/** An unused generation would block the job. It stays if there is a newer one, which has its digest. */
function removeUnused(folder: string, generation: number): void {
  try {
    if (newestGeneration(folder) === generation) rmSync(generationPath(folder, generation))
  } catch {
    // Its lease expires.
  }
}

/** Its process may have been killed before a sync, and the next generation has its digest. */
export function syncGeneration(folder: string, generation: number): void {
  withRegularFile(generationPath(folder, generation), fdatasyncSync, constants.O_RDWR)
}

interface Ends {
  readonly first: string
  /** '' if the file does not end with a line feed. */
  readonly last: string
  readonly offset: number
}

const endSize = 4096

export function readEnds(path: string): Ends {
  return withRegularFile(path, file => {
    const { size } = fstatSync(file)
    const from = Math.max(0, size - endSize)
    const [head, tail] = [readAt(file, 0), readAt(file, from)]
    const start = tail.lastIndexOf('\n', tail.length - 2) + 1
    const last = tail.endsWith('\n') ? tail.slice(start, -1) : ''
    return { first: head.slice(0, Math.max(0, head.indexOf('\n'))), last, offset: from + start }
  })
}

function readAt(file: number, position: number): string {
  const bytes = Buffer.alloc(endSize)
  return bytes.toString('latin1', 0, readSync(file, bytes, 0, endSize, position))
}

/** A file without a first line has no content, but blocks other processes for a while. */
export function claimGeneration(folder: string, generation: number): number | undefined {
  try {
    return openSync(generationPath(folder, generation), 'wx+', 0o600)
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return undefined
    throw error
  }
}
