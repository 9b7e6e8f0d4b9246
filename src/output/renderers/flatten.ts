/** `--flatten` makes one column for each key of nested objects, such as `properties.plan`. */
import { type FileHandle, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { cannotKeep, makeTemporaryFolder } from '../../files/temporary-folder.ts'
import { isWindows } from '../../files/windows-files.ts'
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
    for await (const batch of batches) {
      for (const item of batch) note(item, found, chosen)
      await store.add(batch)
    }
    return { columns: columnsOf(found), batches: store.batches() }
  } catch (error) {
    await store.close()
    throw error
  }
}

interface Field {
  isPlain: boolean
  readonly keys: Set<string>
}

function note(item: Item, found: Map<string, Field>, chosen: readonly string[] | undefined): void {
  const values = chosen
    ? compile(chosen)
        .pick(item)
        .map((value, i) => [chosen[i] ?? '', value] as const)
    : membersOf(item)
  for (const [name, value] of values) {
    const field = found.get(name) ?? { isPlain: false, keys: new Set() }
    found.set(name, field)
    const kind = value && kindOf(value)
    if (value && kind === 'object') for (const [key] of members(value)) field.keys.add(key)
    else if (kind !== undefined && kind !== 'null') field.isPlain = true
  }
}

/** A row that is not an object fills the column `value`. */
function membersOf(item: Item): readonly (readonly [string, Item])[] {
  return kindOf(item) === 'object' ? members(item) : [['value', item]]
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
        const isObject = value !== undefined && kindOf(value) === 'object'
        const inside = new Map(isObject && keys.length > 0 ? members(value) : [])
        const own = isObject && keys.length > 0 ? undefined : value
        return [...(isOwn ? [own] : []), ...keys.map(key => inside.get(key))]
      })
    },
  }
}

interface Store {
  add(batch: readonly Item[]): Promise<void>
  batches(): AsyncIterable<readonly Item[]>
  close(): Promise<void>
}

const rows = 'The rows for --flatten'

async function createStore(): Promise<Store> {
  const folder = makeTemporaryFolder(rows)
  const remove = () => rm(folder, { recursive: true, force: true })
  const file = await open(join(folder, 'rows'), 'wx+', 0o600).catch(async (cause: unknown) => {
    await remove()
    throw cannotKeep(rows, cause)
  })
  // Removed at once, so that a killed process leaves no rows; some network disks cannot remove an open file.
  const isRemoved =
    !isWindows &&
    (await remove().then(
      () => true,
      () => false,
    ))
  const lengths: number[] = []
  const close = async () => {
    await file.close()
    // Another user may have a folder of that name now.
    if (!isRemoved) await remove()
  }
  return {
    close,
    async add(batch) {
      const bytes = Buffer.from(batch.map(item => `${oneLine(item).toString('latin1')}\n`).join(''), 'latin1')
      await write(file, bytes)
      lengths.push(bytes.length)
    },
    async *batches() {
      try {
        let position = 0
        for (const length of lengths) {
          const bytes = Buffer.allocUnsafe(length)
          await file.read(bytes, 0, length, position)
          position += length
          yield linesOf(bytes)
        }
      } finally {
        await close()
      }
    },
  }
}

async function write(file: FileHandle, bytes: Buffer): Promise<void> {
  try {
    await file.appendFile(bytes)
  } catch (cause) {
    throw cannotKeep(rows, cause)
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
