/** `--backup`: every record as it is, before the first of them is changed. */
import type { Client } from '../api/client.ts'
import { NotFoundError } from '../errors.ts'
import { continuePrivateFile } from '../files/private-file.ts'
import { oneLine } from '../json/layout.ts'
import { type Operation, readRequest } from '../operations/operations.ts'
import { runParallel } from './run-parallel.ts'

export interface BackupRequest {
  readonly client: Client
  readonly change: Operation
  readonly ids: readonly string[]
  readonly concurrency: number
}

/**
 * Saves the records, one JSON object a line, 0600 and whole, and returns how many there were: what is not there any
 * more cannot be saved. They follow what the file holds already, which may be all that is left of others. Throws what
 * keeps a record from being read; nothing may be changed then.
 */
export async function saveBackup(path: string, { client, change, ids, concurrency }: BackupRequest): Promise<number> {
  const file = continuePrivateFile(path, '--backup')
  let saved = 0
  try {
    await runParallel(ids, concurrency, async id => {
      const record = await client.one(readRequest(client, change, id)).catch((error: unknown) => {
        if (error instanceof NotFoundError) return undefined
        throw error
      })
      if (!record) return
      file.write(Buffer.concat([oneLine(record), newline]))
      saved++
    })
    file.commit()
    return saved
  } finally {
    file.discard()
  }
}

const newline = Buffer.from('\n')
