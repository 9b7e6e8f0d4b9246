/** `--flatten` makes one column for each key of nested objects, such as `properties.plan`. */
import { type FileHandle, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { cannotKeep, makeTemporaryFolder } from '../../files/make-folder.ts'
import type { Item } from '../../json/item.ts'
import { oneLine } from '../../json/layout.ts'
import { compile, kindOf, members } from '../../json/pick.ts'
import type { Columns } from '../rows.ts'

interface Flattened {
  readonly columns: Columns
  readonly batches: AsyncIterable<readonly Item[]>
}

/** All rows are read to know the columns; they wait in a private file. Throws `UsageError` if that is not possible. */
export async function flatten(
  batches: AsyncIterable<readonly Item[]>,
  chosen: readonly string[] | undefined,
  known: readonly string[],
): Promise<Flattened> {
  const store = await createStore()
  try {
    const found = new Map<string, Field>((chosen ?? known).map(name => [name, { isPlain: false, keys: new Set() }]))
    const valuesOf = chosen ? pickerOf(chosen) : membersOf
    for await (const batch of batches) {
      for (const item of batch) for (const [name, value] of valuesOf(item)) note(name, value, found)
      await store.add(batch)
    }
    return { columns: columnsOf(found), batches: store.batches() }
  } catch (error) {
    await store.close()
    throw error
  }
}

type Named = readonly (readonly [name: string, value: Item | undefined])[]

function pickerOf(chosen: readonly string[]): (item: Item) => Named {
  const { pick } = compile(chosen)
  return item => pick(item).map((value, i) => [chosen[i] ?? '', value])
}

/** A row that is not an object fills the column `value`. */
function membersOf(item: Item): Named {
  return kindOf(item) === 'object' ? members(item) : [['value', item]]
}

interface Field {
  isPlain: boolean
  readonly keys: Set<string>
}

function note(name: string, value: Item | undefined, found: Map<string, Field>): void {
  const field = found.get(name) ?? { isPlain: false, keys: new Set() }
  found.set(name, field)
  if (!value || kindOf(value) === 'null') return
  if (kindOf(value) === 'object') for (const [key] of members(value)) field.keys.add(key)
  else field.isPlain = true
}

function columnsOf(found: ReadonlyMap<string, Field>): Columns {
  const fields = [...found].map(([name, { isPlain, keys }]) => ({
    name,
    keys: [...keys],
    isOwn: isPlain || keys.size === 0,
  }))
  const { pick } = compile(fields.map(({ name }) => name))
  return {
    names: fields.flatMap(({ name, keys, isOwn }) => [...(isOwn ? [name] : []), ...keys.map(key => `${name}.${key}`)]),
    pick(item) {
      const values =
        kindOf(item) === 'object' ? pick(item) : fields.map(({ name }) => (name === 'value' ? item : undefined))
      return fields.flatMap(({ keys, isOwn }, i) => {
        const value = values[i]
        const isSpread = value !== undefined && keys.length > 0 && kindOf(value) === 'object'
        const inside = new Map(isSpread ? members(value) : [])
        return [...(isOwn ? [isSpread ? undefined : value] : []), ...keys.map(key => inside.get(key))]
      })
    },
  }
}

const rows = 'The rows for --flatten'

async function createStore() {
  const folder = makeTemporaryFolder(rows)
  const remove = () => rm(folder, { recursive: true, force: true })
  const file = await open(join(folder, 'rows'), 'wx+', 0o600).catch(async (cause: unknown) => {
    await remove()
    throw cannotKeep(rows, cause)
  })
  // Removed at once, so that a killed process leaves no rows; some network disks cannot remove an open file.
  await remove().catch(() => undefined)
  const lengths: number[] = []
  const close = async () => {
    await file.close()
    await remove()
  }
  return {
    close,
    async add(batch: readonly Item[]): Promise<void> {
      const bytes = Buffer.from(batch.map(item => `${oneLine(item).toString('latin1')}\n`).join(''), 'latin1')
      await file.appendFile(bytes).catch((cause: unknown) => Promise.reject(cannotKeep(rows, cause)))
      lengths.push(bytes.length)
    },
    async *batches(): AsyncGenerator<readonly Item[]> {
      try {
        yield* readBack(file, lengths)
      } finally {
        await close()
      }
    },
  }
}

async function* readBack(file: FileHandle, lengths: readonly number[]): AsyncGenerator<readonly Item[]> {
  let position = 0
  for (const length of lengths) {
    const bytes = Buffer.allocUnsafe(length)
    await file.read(bytes, 0, length, position)
    position += length
    yield linesOf(bytes)
  }
}

function linesOf(bytes: Buffer): Item[] {
  const lines: Item[] = []
  for (let from = 0; from < bytes.length; ) {
    const to = bytes.indexOf(0x0a, from)
    lines.push(bytes.subarray(from, to))
    from = to + 1
  }
  return lines
}
